import { useEffect, useRef } from 'react';
import type { LedgerLine } from '../../src/watch/watch.ts';
import { clockTime } from '../shop/clock-time.ts';
import { type Order, shortKey } from '../shop/order.ts';

/** The ledger itself: a line for every time that something happened. */
export function LedgerLines(props: {
  readonly orders: readonly Order[];
  readonly ledger: readonly LedgerLine[];
}) {
  const { orders, ledger } = props;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => list.current?.scrollTo({ top: list.current.scrollHeight }), [ledger.length]);
  return (
    <section className="lines" aria-labelledby="lines">
      <h3 id="lines">The ledger</h3>
      <ol ref={list} tabIndex={0} aria-labelledby="lines">
        {ledger.map(({ line, mutation, key, happenedAt }, index) => {
          const order = orders.find(({ id }) => id === key);
          const again = ledger.slice(0, index).some((earlier) => earlier.key === key);
          return (
            <li key={line} data-again={again}>
              <span>{clockTime(happenedAt)}</span>
              <span>
                {mutation}
                {again && ' again'}
              </span>
              <span>{order ? `order ${order.number}` : 'an older order'}</span>
              <code>{!order || order.guarded ? shortKey(key) : 'no key'}</code>
            </li>
          );
        })}
        {ledger.length === 0 && <li className="empty">Nothing has happened yet.</li>}
      </ol>
    </section>
  );
}
