import { usePendingMutations } from '@onceward/client/react';
import { journal } from './payments.ts';

/** What is still to be delivered, also from before a reload and from other tabs. */
export function PendingPayments() {
  const pending = usePendingMutations(journal, ({ operation }) => operation === 'pay');
  return (
    <>
      <p>Waiting: {pending.length}</p>
      <ul>
        {pending.map(({ id, meta, state, attempts }) => (
          <li key={id}>
            {(meta as { title: string }).title}: {state}
            {attempts > 1 && `, attempt ${attempts}`}
            {state === 'unresolved' ? (
              <button onClick={() => void journal.resolve(id, 'executed')}>It was paid</button>
            ) : (
              <button onClick={() => void journal.cancel(id)}>Cancel</button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
