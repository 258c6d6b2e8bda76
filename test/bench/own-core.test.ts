import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { expect, test } from 'vitest';
import { keepOnCore } from './own-core.ts';
import { programOnPath } from './program-on-path.ts';

const able = programOnPath(['taskset']) && cpus().length > 1;
if (!able) console.warn('Not tested: one core for a process. It needs taskset and two cores.');

const cores = () =>
  /^Cpus_allowed_list:\s*(.+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];

test.runIf(able)(
  'a process is kept on one core, and then goes where it may have gone before',
  () => {
    const before = cores();
    {
      using _core = keepOnCore(1);
      expect(cores()).toBe('1');
    }
    expect(cores()).toBe(before);
  },
);

test.runIf(able)('where there is no such core, it stays where it is', () => {
  const before = cores();
  {
    using _core = keepOnCore(100_000);
    expect(cores()).toBe(before);
  }
  expect(cores()).toBe(before);
});
