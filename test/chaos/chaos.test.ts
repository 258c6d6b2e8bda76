import { expect, test } from 'vitest';
import { runChaos } from './chaos.ts';
import { tallyFailpoints } from './failpoint-tally.ts';
import { faultsOf, isClean, reportText, unmade } from './report-text.ts';

const durationMs = 60_000;

/** Where tens die or break in a minute. At the others it is a few, and on a busy machine none. */
const oftenBroken: ReadonlySet<string> = new Set([
  'reserve-applied-no-ack',
  'complete-applied-no-ack',
  'commit-sent',
  'response-half-sent',
  'heartbeat-skip',
  'send-half',
]);

/** The short form of `npm run chaos -- --minutes 20`. */
test('a minute of chaos duplicates nothing, loses nothing and leaves nothing open', async () => {
  const seed = Number(process.env['ONCEWARD_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  const report = await runChaos({ durationMs, seed });
  console.log(`ONCEWARD_SEED=${seed}\n${reportText(report)}`);

  expect(report).toMatchObject({
    duplicates: 0,
    lostAcknowledgements: 0,
    lostIntents: 0,
    unequalReplays: 0,
    otherInputs: 0,
    refusedEffects: 0,
    crossTenant: 0,
    oldCookies: 0,
    stuck: 0,
    unclaimedEffects: 0,
    crashes: 0,
  });
  expect(isClean(report)).toBe(true);
  // Else there was no chaos, and nothing was shown.
  expect(report.acknowledged).toBeGreaterThan(1_000);
  expect(faultsOf(report)).toBeGreaterThan(300);
  expect(report.onDevices.persisted).toBeGreaterThan(50);
  for (const kind of ['database line: ', 'entrance: ', 'server: ', 'database: ', 'device: ']) {
    expect(Object.keys(report.faults).some((fault) => fault.startsWith(kind))).toBe(true);
  }
  expect(unmade(report)).toEqual([]);
  const failpoints = tallyFailpoints(report);
  expect(failpoints).toHaveLength(20);
  expect(failpoints.filter(({ passed }) => passed === 0)).toEqual([]);
  const unbroken = failpoints.filter(({ broken }) => broken === 0).map(({ name }) => name);
  expect(unbroken.filter((name) => oftenBroken.has(name))).toEqual([]);
}, 240_000);
