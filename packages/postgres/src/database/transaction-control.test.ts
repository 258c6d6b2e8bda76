import { expect, test } from 'vitest';
import { controlsTransaction } from './transaction-control.ts';

test.each([
  ...[
    'begin',
    'BEGIN ISOLATION LEVEL SERIALIZABLE',
    'start transaction',
    'Start  Transaction read only',
  ],
  ...[
    'commit',
    ' \n COMMIT;',
    'commit and chain',
    'end',
    'END WORK',
    'abort',
    'rollback',
    'rollback;',
  ],
  ...['rollback work', "prepare transaction 'x'"],
])('%o begins or ends a transaction', (text) => {
  expect(controlsTransaction(text)).toBe(true);
});

test.each([
  ...['rollback to savepoint a', 'ROLLBACK  WORK TO a', 'rollback transaction to a', 'savepoint a'],
  ...[
    'release savepoint a',
    'select commit from begin',
    'insert into commits values (1)',
    'endpoint',
  ],
  ...['prepare a as select 1', 'start', 'set transaction read only', '', undefined],
])('%o does not', (text) => {
  expect(controlsTransaction(text)).toBe(false);
});
