import type { LedgerLine } from '../../src/watch/watch.ts';
import type { Order } from '../shop/order.ts';

/** What was wanted, what was sent, and what came of it. */
export function Counters(props: {
  readonly orders: readonly Order[];
  readonly ledger: readonly LedgerLine[];
}) {
  const { orders, ledger } = props;
  const sent = orders.reduce((sum, { attempts }) => sum + attempts.length, 0);
  return (
    <dl className="counters">
      <div>
        <dt>orders wanted</dt>
        <dd id="wanted">{orders.length}</dd>
      </div>
      <div>
        <dt>requests sent</dt>
        <dd id="sent">{sent}</dd>
      </div>
      <div>
        <dt>times it happened</dt>
        <dd id="made">{ledger.length}</dd>
      </div>
    </dl>
  );
}
