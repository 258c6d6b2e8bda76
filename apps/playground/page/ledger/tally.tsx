import type { Order } from '../shop/order.ts';
import { chargesOf } from './charges.ts';
import { useServerView } from './server-view.ts';

/** What was sent for an order beside what came of it, in one line. */
export function Tally({ order }: { readonly order: Order }) {
  const { ledger } = useServerView();
  const { words, verdict } = chargesOf(order, ledger);
  const { length: sent } = order.attempts;
  return (
    <span className="verdict" data-verdict={verdict}>
      {sent} {sent === 1 ? 'request' : 'requests'}, {words}
    </span>
  );
}
