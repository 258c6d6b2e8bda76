const matrix = ['test/faults/crash-matrix'];
const database = ['test/faults/database-crash'];

/** @type {import('./runner/mutants.mjs').Mutant[]} */
export const mutants = [
  {
    name: 'a sweep frees what may have happened',
    file: 'packages/postgres/src/sql/sweep.ts',
    find: 'case when re_executable then ${state.released}\n',
    replace: 'case when true then ${state.released}\n',
    tests: matrix,
  },
  {
    name: 'an external mutation is executed again after a crash',
    file: 'packages/server/src/reserve-request.ts',
    find: '    onStaleLease,\n',
    replace: "    onStaleLease: onStaleLease && 're-execute',\n",
    tests: matrix,
  },
  {
    name: 'a step is given another key by each attempt',
    file: 'packages/server/src/steps/step-runner.ts',
    find: "deriveKey(place.key, ['step', place.scope, name], sha256)",
    replace: "deriveKey(place.key, ['step', place.scope, name, String(Math.random())], sha256)",
    tests: matrix,
  },
  {
    name: 'a COMMIT that a crash left unanswered is acknowledged',
    file: 'packages/postgres/src/transact.ts',
    find: "if (kind === 'in-doubt' && value.kind === 'committed') {",
    replace: "if (kind === 'in-doubt' && value.kind === 'unknown') {",
    tests: database,
  },
];
