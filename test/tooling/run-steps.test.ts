import { expect, test } from 'vitest';
import { runSteps } from './run-steps.mjs';

async function run(steps: Parameters<typeof runSteps>[0]) {
  const lines: string[] = [];
  const passed = await runSteps(steps, (text) => lines.push(text));
  return { passed, printed: lines.join('\n').replaceAll(/\d+\.\d s/g, '0.0 s') };
}

test('steps that pass print one line each', async () => {
  const { passed, printed } = await run([{ name: 'version', commands: ['node --version'] }]);
  expect(passed).toBe(true);
  expect(printed).toBe('ok       version          0.0 s');
});

test('a step that fails shows its command and output, and steps after it are not run', async () => {
  const { passed, printed } = await run([
    { name: 'build', commands: ['node --version', 'node -p missing'] },
    { name: 'pack', after: 'build', commands: ['node --version'] },
  ]);
  expect(passed).toBe(false);
  expect(printed).toMatch(/^failed {3}build {12}0\.0 s\n {4}\$ node -p missing\n/);
  expect(printed).toContain('ReferenceError: missing is not defined');
  expect(printed).toMatch(/not run {2}pack {13}needs build$/);
});

test('a command that does not exist is a failure, not a crash', async () => {
  const { passed, printed } = await run([{ name: 'gone', commands: ['onceward-no-such-command'] }]);
  expect(passed).toBe(false);
  expect(printed).toContain('ENOENT');
});
