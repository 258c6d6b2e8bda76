import { Tally } from '../ledger/tally.tsx';
import { useShop } from '../shop/shop-state.ts';
import { wishes } from '../shop/wishes.ts';

/** How the orders before this one ended. */
export function EarlierOrders() {
  const { orders, next } = useShop();
  const shown = orders.find(({ id }) => id === next.id) ?? orders.at(-1);
  const earlier = orders.filter((order) => order !== shown).toReversed();
  if (earlier.length === 0) return null;
  return (
    <section className="earlier" aria-labelledby="earlier">
      <h3 id="earlier">Earlier orders</h3>
      <ul>
        {earlier.map((order) => (
          <li key={order.id}>
            <span>
              Order {order.number}: {wishes[order.wish].title},{' '}
              {order.guarded ? 'with onceward' : 'without'}
            </span>
            <span>{order.outcome?.words ?? 'No answer yet …'}</span>
            <Tally order={order} />
          </li>
        ))}
      </ul>
    </section>
  );
}
