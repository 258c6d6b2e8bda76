import fc from 'fast-check';
import { expect, test } from 'vitest';
import { schedules } from '../../test/journal-rules/schedule.ts';
import { liveThrough } from '../../test/journal-rules/world.ts';

/**
 * The same schedules every time, so that a change is judged and not the day. To look further:
 * `ONCEWARD_JOURNAL_RUNS=6000 ONCEWARD_JOURNAL_SEED=7 npx vitest run journal-rules --testTimeout 600000`.
 */
const { ONCEWARD_JOURNAL_RUNS: numRuns = 400, ONCEWARD_JOURNAL_SEED: seed = 20_261_116 } =
  process.env;
const runs = { numRuns: Number(numRuns), seed: Number(seed) };

test('whatever happens to a device, every rule of the journal holds', async () => {
  const property = fc.asyncProperty(schedules, async (schedule) => {
    expect((await liveThrough(schedule)).join('; ')).toBe('');
  });
  await fc.assert(property, runs);
}, 120_000);
