import { useShop } from '../shop/shop-state.ts';
import { Counters } from './counters.tsx';
import { KeyStates } from './key-states.tsx';
import { LedgerLines } from './ledger-lines.tsx';
import { useServerView } from './server-view.ts';
import { Verdict } from './verdict.tsx';

/** What really happened, seen past the network. */
export function Ledger() {
  const { orders, next } = useShop();
  const view = useServerView();
  const order = orders.find(({ id }) => id === next.id) ?? orders.at(-1);
  return (
    <>
      <p className="server" data-server={view.server}>
        {view.server === 'running' ? 'The server is running.' : 'The server is down, and restarts.'}
      </p>
      <Verdict order={order} ledger={view.ledger} />
      <Counters orders={orders} ledger={view.ledger} />
      <KeyStates orders={orders} view={view} />
      <LedgerLines orders={orders} ledger={view.ledger} />
    </>
  );
}
