import { Tally } from '../ledger/tally.tsx';
import { pressButton } from '../network/press-button.ts';
import { shortKey } from '../shop/order.ts';
import { choose, startNewOrder, useShop } from '../shop/shop-state.ts';
import { wishes, wishNames } from '../shop/wishes.ts';
import { Choices } from './choices.tsx';

/** What a person wants, and the buttons that people press too often. */
export function Checkout() {
  const { choice, next, orders } = useShop();
  const { wish, api, guarded } = choice;
  const pressed = orders.find(({ id }) => id === next.id);
  const { verb } = wishes[wish];
  return (
    <div className="checkout">
      <Choices
        name="guarded"
        legend="The client"
        look="segments"
        value={guarded ? 'with' : 'without'}
        options={[
          { value: 'with', title: 'With onceward' },
          { value: 'without', title: 'Without onceward' },
        ]}
        onChoose={(value) => choose({ guarded: value === 'with' })}
      />
      <Choices
        name="api"
        legend="The API"
        look="segments"
        value={api}
        options={[
          { value: 'trpc', title: 'tRPC' },
          { value: 'graphql', title: 'GraphQL' },
        ]}
        onChoose={(value) => choose({ api: value })}
      />
      <Choices
        name="wish"
        legend="The order, and its effect"
        look="cards"
        value={wish}
        options={wishNames.map((name) => ({
          value: name,
          title: wishes[name].title,
          about: (
            <>
              <b>{wishes[name].effect}</b> {wishes[name].about}
            </>
          ),
        }))}
        onChoose={(value) => choose({ wish: value })}
      />
      <p className="receipt">
        <span>Order {next.number}</span>
        <span>{guarded ? <code>key {shortKey(next.id)}</code> : 'no key'}</span>
      </p>
      <button type="button" className="primary" onClick={pressButton}>
        {verb}
      </button>
      <p className="tally">
        {pressed ? <Tally order={pressed} /> : 'Not ordered yet.'}
        <a href="#network">Watch it travel</a>
      </p>
      <div className="buttons">
        <button
          type="button"
          onClick={() => {
            pressButton();
            pressButton();
          }}
        >
          Press it twice
        </button>
        <button type="button" onClick={() => location.reload()}>
          Reload the page
        </button>
        <a className="button" href="/" target="_blank" rel="noopener">
          Open a second tab
        </a>
        <button type="button" disabled={!pressed} onClick={startNewOrder}>
          New order
        </button>
      </div>
    </div>
  );
}
