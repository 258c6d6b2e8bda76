import fc from 'fast-check';
import { expect, test } from 'vitest';
import { schedules } from '../../test/journal-rules/schedule.ts';
import { liveThrough } from '../../test/journal-rules/world.ts';

/**
 * The same schedules every time, so that a change is judged and not the day. To look further, at
 * others each time: `ONCEWARD_JOURNAL_RUNS=20000 npx vitest run journal-rules`.
 */
const wanted = process.env['ONCEWARD_JOURNAL_RUNS'];
const runs = wanted ? { numRuns: Number(wanted) } : { numRuns: 400, seed: 20_261_116 };

test('whatever happens to a device, every rule of the journal holds', async () => {
  const property = fc.asyncProperty(schedules, async (schedule) => {
    expect((await liveThrough(schedule)).join('; ')).toBe('');
  });
  await fc.assert(property, runs);
});
