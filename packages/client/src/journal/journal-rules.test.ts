import fc from 'fast-check';
import { expect, test } from 'vitest';
import { schedules } from '../../test/journal-rules/schedule.ts';
import { liveThrough } from '../../test/journal-rules/world.ts';

/** `ONCEWARD_JOURNAL_RUNS=20000 npx vitest run journal-rules` looks further. */
const numRuns = Number(process.env['ONCEWARD_JOURNAL_RUNS'] ?? 200);

test('whatever happens to a device, every rule of the journal holds', async () => {
  const property = fc.asyncProperty(schedules, async (schedule) => {
    expect((await liveThrough(schedule)).join('; ')).toBe('');
  });
  await fc.assert(property, { numRuns });
});
