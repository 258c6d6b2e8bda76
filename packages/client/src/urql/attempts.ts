import { makeOperation, type Operation, type OperationResult } from '@urql/core';
import { errorForAnswer } from './answer.ts';
import { ownerOf } from './attempt-operation.ts';
import { describeUrqlResult } from './describe-urql-result.ts';

/** The attempts that are on their way through the exchanges below. */
export interface Attempts {
  /** Sends one. Rejects with urql's error when its result is no success. */
  send(operation: Operation, signal: AbortSignal | null): Promise<OperationResult>;
  /** Whether a result was for one of them. */
  receive(result: OperationResult): boolean;
}

export function createAttempts(down: (operation: Operation) => void): Attempts {
  const waiting = new Map<number, (result: OperationResult) => void>();
  const attempts: Attempts = {
    send: (operation, signal) =>
      new Promise((resolve, reject) => {
        const { key } = operation;
        waiting.set(key, (result) => {
          // Of a result in parts, the last one has them all.
          if (result.hasNext) return;
          waiting.delete(key);
          const failure = describeUrqlResult(result);
          if (failure) reject(errorForAnswer({ failure, result }));
          else resolve(result);
        });
        const end = () => {
          if (waiting.delete(key)) down(makeOperation('teardown', operation));
        };
        signal?.addEventListener('abort', end, { once: true });
        down(operation);
      }),
    receive(result) {
      if (ownerOf(result.operation) !== attempts) return false;
      // That of an attempt which is over has nobody to go to.
      waiting.get(result.operation.key)?.(result);
      return true;
    },
  };
  return attempts;
}
