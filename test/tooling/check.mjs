// npm run check: everything about the code that is not a test.
import { publishedPackages } from './packages.mjs';
import { runSteps } from './run-steps.mjs';

const packages = publishedPackages();

const passed = await runSteps([
  // The longest first: the others fit beside it.
  { name: 'lint', commands: ['eslint . --max-warnings 0'] },
  {
    name: 'build',
    commands: ['tsc -b tsconfig.build.json', 'node packages/console/build-page.mjs'],
  },
  { name: 'types', commands: ['tsc -p . --noEmit'] },
  { name: 'format', commands: ['prettier --check --log-level warn .'] },
  { name: 'api reference', commands: ['node test/tooling/api-reference.mjs --check'] },
  { name: 'unused exports', commands: ['knip --no-progress'] },
  { name: 'lock file', commands: ['node test/tooling/lock-file.mjs'] },
  { name: 'private text', commands: ['node test/tooling/private-text.mjs'] },
  {
    name: 'publint',
    after: 'build',
    commands: packages.map(({ folder }) => `publint --strict ${folder}`),
  },
  {
    name: 'attw',
    after: 'build',
    commands: packages.map(({ folder }) => `attw --no-emoji --profile esm-only --pack ${folder}`),
  },
]);
process.exitCode = passed ? 0 : 1;
