// npm run test:harness [-- TEXT]: makes each mistake of the table in docs/harness.md, or those whose
// words contain TEXT, and checks that the model, the simulator or chaos notices.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { checkConfiguration, missingTool } from '../model/check-configuration.mjs';
import { configurations } from '../model/configurations.mjs';
import { mistakes } from './mistakes.mjs';

const [wanted = ''] = process.argv.slice(2);
const chosen = mistakes.filter(({ mistake }) => mistake.includes(wanted));
const missing = await missingTool();
if (missing) console.log(`The model is not checked: there is no ${missing} here.`);

let made = 0;
let found = 0;
if (!(await simulatorNotices())) {
  for (const { mistake, model = [], simulator = [], chaos = [] } of chosen) {
    for (const id of missing ? [] : model) report(mistake, `model ${id}`, await modelNotices(id));
    for (const name of simulator) {
      report(mistake, 'simulator', await simulatorNotices(`simulation: ${name}`));
    }
    for (const each of chaos) report(mistake, 'chaos', await chaosNotices(each));
  }
} else {
  console.log('The simulator breaks a rule without a mistake.');
}
console.log(`\n${found} of ${made} found`);
process.exitCode = made > 0 && found === made ? 0 : 1;

/**
 * @param {string} mistake
 * @param {string} by
 * @param {string | undefined} how what was noticed
 */
function report(mistake, by, how) {
  made++;
  if (how) found++;
  console.log(`${how ? 'found   ' : 'missed  '} ${by.padEnd(10)} ${mistake}: ${how ?? 'nothing'}`);
}

/** @param {string} id */
async function modelNotices(id) {
  const configuration = configurations.find((each) => each.id === id);
  if (!configuration) return undefined;
  const { verdict } = await checkConfiguration(configuration);
  return verdict === configuration.expected ? verdict : undefined;
}

/**
 * Lives through the seeds of `npm test`, in sources that have the mistake.
 *
 * @param {string} [mutant]
 */
async function simulatorNotices(mutant) {
  const seeds = ['--first-seed', '1', '--seeds', '10', '--mutations', '2000'];
  const output = await outputOf('../simulation/run.mjs', seeds, mutant);
  const [, rule] = /breaks \d+ rules:\n {2}(.*)/.exec(output) ?? [];
  if (rule) return rule;
  if (!output.includes('so under 3/')) throw new Error(`The simulator did not end: ${output}`);
  return undefined;
}

/**
 * Less than a minute of chaos, with servers and devices that have the mistake.
 *
 * Another breach than the one that is to be expected is no proof: a short run on a busy machine may leave
 * something open without any mistake.
 *
 * @param {{ mutant: string, breach: string }} mistake
 */
async function chaosNotices({ mutant, breach }) {
  const output = await outputOf('../chaos/run.mjs', ['--minutes', '0.75', '--seed', '1'], mutant);
  if (!/^ +\d+ {2}intents$/m.test(output)) throw new Error(`Chaos did not end: ${output}`);
  return new RegExp(`^ +[1-9]\\d* {2}${breach}$`, 'm').test(output) ? breach : undefined;
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} [mutant]
 */
async function outputOf(program, args, mutant) {
  const child = spawn(process.execPath, [join(import.meta.dirname, program), ...args], {
    env: { ...process.env, ONCEWARD_MUTANT: mutant ?? '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  await once(child, 'close');
  return output;
}
