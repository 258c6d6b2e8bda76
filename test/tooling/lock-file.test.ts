import { expect, test } from 'vitest';
import { lockProblems } from './lock-file.mjs';

test('a lock file without addresses, with every platform, for our Node.js has no problems', () => {
  const problems = lockProblems({
    '': { version: '1.0.0', engines: { node: '>=20.19' } },
    'packages/core': { version: '1.0.0' },
    'node_modules/@onceward/core': { resolved: 'packages/core', link: true },
    'node_modules/a': { version: '1.0.0', optionalDependencies: { 'a-linux': '1', 'a-mac': '1' } },
    'node_modules/a-linux': { version: '1.0.0', engines: { node: '^20.19.0 || >=22' } },
    'node_modules/a/node_modules/a-mac': { version: '1.0.0' },
  });
  expect(problems).toEqual([]);
});

test('each problem is one sentence that names the package', () => {
  const problems = lockProblems({
    'node_modules/a': { version: '1.0.0', resolved: 'https://registry.example/a-1.0.0.tgz' },
    'node_modules/b': { version: '2.0.0', engines: { node: '>=20.20' } },
    'node_modules/c': { version: '3.0.0', optionalDependencies: { 'c-mac': '3.0.0' } },
    'node_modules/d/node_modules/c-mac': { version: '3.0.0' },
  });
  expect(problems).toEqual([
    'node_modules/a names the registry it was downloaded from',
    'node_modules/b 2.0.0 needs Node.js >=20.20, not 20.19.0',
    'node_modules/c 3.0.0 lacks its optional package c-mac',
  ]);
});
