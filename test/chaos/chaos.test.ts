import { expect, test } from 'vitest';
import { runChaos } from './chaos.ts';
import { faultsOf, isClean, reportText } from './report-text.ts';

const durationMs = 60_000;

/** The short form of `npm run chaos -- --minutes 20`. */
test('a minute of chaos duplicates nothing, loses nothing and leaves nothing open', async () => {
  const seed = Number(process.env['ONCEWARD_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  const report = await runChaos({ durationMs, seed });
  console.log(`ONCEWARD_SEED=${seed}\n${reportText(report)}`);

  expect(report).toMatchObject({
    duplicates: 0,
    lostAcknowledgements: 0,
    unequalReplays: 0,
    otherInputs: 0,
    refusedEffects: 0,
    crossTenant: 0,
    oldCookies: 0,
    stuck: 0,
  });
  expect(isClean(report)).toBe(true);
  // Else there was no chaos, and nothing was shown.
  expect(report.acknowledged).toBeGreaterThan(500);
  expect(faultsOf(report)).toBeGreaterThan(100);
  for (const kind of ['database line: ', 'entrance: ', 'server: ', 'database: ']) {
    expect(Object.keys(report.faults).some((fault) => fault.startsWith(kind))).toBe(true);
  }
}, 240_000);
