import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { root } from './packages.mjs';

/**
 * What takes longest begins first, so that a run does not end with one file that everybody waits for.
 * Mostly they wait themselves: for processes, leases and browsers.
 */
const slow = [
  'test/chaos/',
  'test/crashes/',
  'test/compare/',
  'test/side-by-side/',
  'test/faults/crash-matrix',
  'test/packaging/packaging',
  'packages/postgres/src/database/prisma',
  'test/e2e/playground',
  'test/engines/react-native',
  'test/e2e/journal/',
  'packages/cli/src/doctor/doctor.test',
  'packages/postgres/src/partitions/interleavings',
  'test/mutants/runner/run',
  'test/faults/',
  'test/examples/',
];

/** Vitest's order is by what took long the last time: a fresh clone does not know that. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted
      .map((file, index) => ({ file, rank: rankOf(file.moduleId), index }))
      .sort((one, other) => one.rank - other.rank || one.index - other.index)
      .map(({ file }) => file);
  }
}

function rankOf(path: string): number {
  const name = relative(root, path);
  const rank = slow.findIndex((prefix) => name.startsWith(prefix));
  return rank === -1 ? slow.length : rank;
}
