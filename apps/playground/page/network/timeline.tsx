import { useEffect, useRef } from 'react';
import { useServerView } from '../ledger/server-view.ts';
import { type Order, shortKey } from '../shop/order.ts';
import { useShop } from '../shop/shop-state.ts';
import { troubleOf } from '../shop/troubles.ts';
import { wishes } from '../shop/wishes.ts';
import { AttemptRow } from './attempt-row.tsx';
import { sendOrder } from './press-button.ts';

/** Every attempt of the order at hand, on its way to the server and back. */
export function Timeline() {
  const { orders, next, cut } = useShop();
  const { sightings } = useServerView();
  const order = orders.find(({ id }) => id === next.id) ?? orders.at(-1);
  const attempts = order?.attempts ?? [];
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => list.current?.scrollTo({ top: list.current.scrollHeight }), [attempts.length]);
  return (
    <article className="timeline" aria-labelledby="timeline" data-cut={cut}>
      <h3 id="timeline">{order ? orderTitle(order) : 'Nothing is on its way'}</h3>
      <p className="ends">
        <span>browser</span>
        <span>{cut ? 'the network is cut' : order && keyWords(order)}</span>
        <span>server</span>
      </p>
      <ol ref={list} tabIndex={0} aria-label="Attempts">
        {attempts.map((attempt, index) => (
          <AttemptRow
            key={attempt.id}
            attempt={attempt}
            number={index + 1}
            label={order?.guarded ? shortKey(order.id) : 'no key'}
            seen={sightings.find(({ id }) => id === attempt.id)}
          />
        ))}
        {attempts.length === 0 && (
          <li className="empty">
            Press the button: each attempt is a line here, with its key, the status that came back,
            and how long it was told to wait.
          </li>
        )}
      </ol>
      <div className="outcome" data-kind={order?.outcome?.kind}>
        <p role="status">{order && statusWords(order)}</p>
        <button
          type="button"
          disabled={!order?.outcome || !order.guarded}
          onClick={() => order && sendOrder(order)}
        >
          Send it again
        </button>
      </div>
    </article>
  );
}

function orderTitle({ number, wish, api, fault }: Order): string {
  const over = api === 'trpc' ? 'tRPC' : 'GraphQL';
  const wrong = fault ? `, ${troubleOf(fault).title.toLowerCase()}` : '';
  return `Order ${number} over ${over}: ${wishes[wish].title}${wrong}`;
}

function keyWords({ guarded, id }: Order): string {
  return guarded ? `key ${shortKey(id)}` : 'no key';
}

function statusWords({ outcome, presses }: Order): string {
  const often = presses > 1 ? `Pressed ${presses} times. ` : '';
  return `${often}${outcome?.words ?? 'No answer yet …'}`;
}
