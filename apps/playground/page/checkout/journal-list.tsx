import { useSyncExternalStore } from 'react';
import { journal } from '../network/shop-clients.ts';
import { shortKey } from '../shop/order.ts';
import { recordWords } from './record-words.ts';

/** What the journal keeps on this device: it is there after a reload, and in every tab. */
export function JournalList() {
  const records = useSyncExternalStore(
    (listener) => journal.subscribe(listener),
    () => journal.records(),
  );
  return (
    <section className="journal" aria-labelledby="journal">
      <h3 id="journal">The journal on this device</h3>
      <ul tabIndex={0} aria-labelledby="journal">
        {records.map((record) => (
          <li key={record.id} data-state={record.state}>
            <span className="state">{record.state}</span>
            <code>{shortKey(record.key)}</code>
            <span className="words">{recordWords(record)}</span>
            {record.state === 'waiting' && (
              <button
                type="button"
                className="quiet"
                onClick={() => void journal.cancel(record.id)}
              >
                Call off
              </button>
            )}
            {record.state === 'unresolved' && (
              <button
                type="button"
                className="quiet"
                onClick={() => void journal.resolve(record.id, 'executed')}
              >
                It happened
              </button>
            )}
          </li>
        ))}
        {records.length === 0 && (
          <li className="empty">Empty: nothing waits. With the network cut, orders stay here.</li>
        )}
      </ul>
    </section>
  );
}
