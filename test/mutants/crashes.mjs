const matrix = ['test/faults/crash-matrix'];
const database = ['test/faults/database-crash'];
const payments = ['test/crashes/crash-payments'];

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
  {
    name: 'the provider gets another key from each attempt',
    file: 'examples/payments-with-keys/src/payments.ts',
    find: "'idempotency-key': key }",
    replace: "'idempotency-key': `${key}${Math.random()}` }",
    tests: payments,
  },
  {
    name: 'a payment that nobody knows of is taken for not made',
    file: 'examples/payments-without-keys/src/payments.ts',
    find: 'return charge\n',
    replace: 'return charge && quietMs < 0\n',
    tests: payments,
  },
];
