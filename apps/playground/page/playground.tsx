import { Checkout } from './checkout/checkout.tsx';
import { JournalList } from './checkout/journal-list.tsx';
import { Explanation } from './explanation/explanation.tsx';
import { Ledger } from './ledger/ledger.tsx';
import { EarlierOrders } from './network/earlier-orders.tsx';
import { NetworkControls } from './network/network-controls.tsx';
import { Timeline } from './network/timeline.tsx';
import { startAfresh, useShop } from './shop/shop-state.ts';

/** A shop on the left, the network in the middle, the ledger on the right. */
export function Playground() {
  const { user } = useShop();
  return (
    <>
      <Explanation />
      <main>
        <section className="panel" aria-labelledby="checkout">
          <h2 id="checkout">The checkout</h2>
          <Checkout />
          <JournalList />
        </section>
        <section className="panel" aria-labelledby="network">
          <h2 id="network">The network</h2>
          <NetworkControls />
          <Timeline />
          <EarlierOrders />
        </section>
        <section className="panel" aria-labelledby="ledger">
          <h2 id="ledger">The server and its ledger</h2>
          <Ledger />
        </section>
      </main>
      <footer>
        <p>
          You are <strong>{user}</strong>, and nobody has checked that: this is a demo.
        </p>
        <button type="button" className="quiet" onClick={startAfresh}>
          Start afresh
        </button>
        <p>
          <a href="/console/">The operator’s console</a>
        </p>
        <p>
          <a href="/graphql">GraphiQL</a>, or <a href="/graphql.html">a plain form</a> for GraphQL.
        </p>
      </footer>
    </>
  );
}
