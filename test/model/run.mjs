// npm run test:model [-- R1 R3]: lets Spin check every configuration of the model, or those named.
import { availableParallelism } from 'node:os';
import { checkConfiguration, missingTool } from './check-configuration.mjs';
import { configurations } from './configurations.mjs';

const wanted = process.argv.slice(2);
const chosen = configurations.filter(({ id }) => wanted.length === 0 || wanted.includes(id));
const missing = await missingTool();
if (missing) {
  console.log(`The model was not checked: there is no ${missing} here (apt-get install spin gcc).`);
} else {
  process.exitCode = (await checkAll()) ? 0 : 1;
}

async function checkAll() {
  const startedAt = performance.now();
  const waiting = [...chosen];
  let unexpected = 0;
  const check = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { verdict, states } = await checkConfiguration(next);
      const asExpected = verdict === next.expected;
      if (!asExpected) unexpected++;
      console.log(
        [
          asExpected ? '✔' : '✘',
          next.id.padEnd(3),
          next.what.padEnd(60),
          verdict.padEnd(29),
          `${states} states`,
          ...(asExpected ? [] : [`expected: ${next.expected}`]),
        ].join(' '),
      );
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, check));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(`\n${chosen.length - unexpected} of ${chosen.length} as expected, in ${seconds} s`);
  return unexpected === 0 && chosen.length > 0;
}
