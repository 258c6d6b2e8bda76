import type { LedgerLine } from '../../src/watch/watch.ts';
import type { Order } from '../shop/order.ts';
import { type Charges, chargesOf } from './charges.ts';

/** The one number that this is all about. */
export function Verdict(props: {
  readonly order: Order | undefined;
  readonly ledger: readonly LedgerLine[];
}) {
  const { order, ledger } = props;
  const charges = order && chargesOf(order, ledger);
  return (
    <p className="verdict big" data-verdict={charges?.verdict ?? 'none'} aria-live="polite">
      <strong>{charges?.words ?? '0 charges'}</strong>
      <span>{order && charges ? about(order, charges) : 'No order so far.'}</span>
    </p>
  );
}

function about({ number }: Order, { verdict }: Charges): string {
  switch (verdict) {
    case 'none':
      return `for order ${number}, so far.`;
    case 'once':
      return `for order ${number}.`;
    case 'harmless':
      return `for order ${number}: the same name, so it does no harm.`;
    case 'twice':
      return `for order ${number}, which was wanted once.`;
  }
}
