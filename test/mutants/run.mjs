// npm run test:mutants [-- TEXT]: makes each deliberate mistake of the lists beside this file, or
// those whose name contains TEXT, and checks that the tests notice.
import { runnerImport } from 'vite';
import { root } from '../tooling/packages.mjs';
import { join } from 'node:path';
import { judge } from './runner/judge.mjs';
import { listFolder, loadMutants, problemWith } from './runner/mutants.mjs';
import { runVitest } from './runner/run-vitest.mjs';

/** @typedef {import('./runner/mutants.mjs').ListedMutant} ListedMutant */
/** @typedef {import('./runner/judge.mjs').Verdict} Verdict */

const [wanted = ''] = process.argv.slice(2);
const listed = await loadMutants(process.env['ONCEWARD_MUTANT_LISTS'] ?? listFolder);
const mutants = listed.filter(({ id }) => id.includes(wanted));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

// Two lanes, each with servers of its own: what one mutant does to them, the other never sees.
const { module } = await runnerImport(join(root, 'test/services/start-services.ts'));
const { startServices } = /** @type {typeof import('../services/start-services.ts')} */ (module);
const lanes = await Promise.all([startServices(), startServices()]);
try {
  process.exitCode = (await unmutatedTestsPass()) && (await everyMutantDies()) ? 0 : 1;
} finally {
  await Promise.all(lanes.map((lane) => lane.stop()));
}

/** A test that fails without a mistake would kill every mutant. */
async function unmutatedTestsPass() {
  const filters = [...new Set(mutants.flatMap(({ tests }) => tests))];
  if (filters.length === 0) {
    console.log(`No mutant's name contains "${wanted}".`);
    return false;
  }
  const startedAt = performance.now();
  const { report, output } = await runVitest(filters, {
    environment: environmentOf(lanes[0]),
    deadlineMs: 10 * 60_000,
    bail: false,
  });
  const green =
    report &&
    report.passed > 0 &&
    [report.failed, report.suiteErrors, report.unhandledErrors].every((list) => list.length === 0);
  if (green) {
    console.log(`${report.passed} tests pass without a mutant, in ${since(startedAt)}`);
    return true;
  }
  console.log('The tests fail without a mutant:');
  for (const { test } of report?.failed ?? []) console.log(`    ${test}`);
  for (const { message } of [...(report?.suiteErrors ?? []), ...(report?.unhandledErrors ?? [])]) {
    console.log(`    ${message}`);
  }
  if (!report) console.log(output);
  return false;
}

async function everyMutantDies() {
  const waiting = [...mutants];
  /** @type {{ id: string, verdict: Verdict }[]} */
  const alive = [];
  await Promise.all(
    lanes.map(async (lane) => {
      for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
        const startedAt = performance.now();
        const verdict = await tryMutant(mutant, environmentOf(lane));
        console.log(`${verdict.kind.padEnd(8)} ${since(startedAt).padStart(6)}  ${mutant.id}`);
        if (verdict.kind !== 'killed') alive.push({ id: mutant.id, verdict });
      }
    }),
  );

  console.log(`\n${mutants.length - alive.length} of ${mutants.length} mutants killed`);
  for (const { id, verdict } of alive) {
    const reason = verdict.kind === 'broken' ? verdict.reason : 'every test passes with it';
    console.log(`${verdict.kind.padEnd(8)} ${id}\n             ${reason}`);
  }
  return alive.length === 0;
}

/**
 * @param {ListedMutant} mutant
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<Verdict>}
 */
async function tryMutant(mutant, environment) {
  const reason = problemWith(mutant);
  if (reason) return { kind: 'broken', reason };
  const { report, applied, output } = await runVitest(mutant.tests, {
    environment: { ...environment, ONCEWARD_MUTANT: mutant.id },
    deadlineMs: 3 * 60_000,
    bail: true,
  });
  return judge(report, { applied, output });
}

/**
 * Not `development`, which Vite has made of `NODE_ENV` above: servers mask no errors there.
 *
 * @param {{ postgresUrl: string, redisUrl: string }} lane
 */
function environmentOf({ postgresUrl, redisUrl }) {
  return { ...process.env, NODE_ENV: 'test', DATABASE_URL: postgresUrl, REDIS_URL: redisUrl };
}

/** @param {number} startedAt */
function since(startedAt) {
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}
