import { type Order, shortKey } from '../shop/order.ts';
import type { ServerView } from './server-view.ts';

/** What the server knows about each key, as it changes. */
export function KeyStates(props: { readonly orders: readonly Order[]; readonly view: ServerView }) {
  const { orders, view } = props;
  const keyed = orders.filter(({ guarded }) => guarded).slice(-4);
  return (
    <section className="keys" aria-labelledby="keys">
      <h3 id="keys">Keys the server knows</h3>
      <ul>
        {keyed.map((order) => {
          const state = stateOf(order, view);
          return (
            <li key={order.id}>
              <code>{shortKey(order.id)}</code>
              <span className="state" data-state={state}>
                {state}
              </span>
              <span className="words">{words[state]}</span>
            </li>
          );
        })}
        {keyed.length === 0 && <li className="empty">None yet.</li>}
      </ul>
    </section>
  );
}

type KeyState = keyof typeof words;

function stateOf({ id, attempts }: Order, { records, sightings }: ServerView): KeyState {
  const record = records.find(({ key }) => key === id);
  if (record) return record.state;
  // An atomic mutation leaves no trace before it commits; but somebody has seen it run.
  const runs = sightings.some(
    (seen) =>
      seen.executing &&
      seen.alive &&
      seen.status === null &&
      attempts.some((attempt) => attempt.id === seen.id),
  );
  return runs ? 'in-progress' : 'unknown-here';
}

const words = {
  'unknown-here': 'never heard of it',
  'in-progress': 'being executed',
  completed: 'done, and the answer is kept',
  released: 'did not happen, may be tried',
  unknown: 'may have happened: not repeated',
} as const;
