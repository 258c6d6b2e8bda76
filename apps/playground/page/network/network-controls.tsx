import { Choices } from '../checkout/choices.tsx';
import { useServerView } from '../ledger/server-view.ts';
import { choose, useShop } from '../shop/shop-state.ts';
import { troubles } from '../shop/troubles.ts';
import { killServer } from './kill-server.ts';
import { cutNetwork } from './network-switch.ts';

/** Everything that can be broken between a shop and its server. */
export function NetworkControls() {
  const { choice, cut } = useShop();
  const { server } = useServerView();
  return (
    <div className="network-controls">
      <Choices
        name="fault"
        legend="What goes wrong with the order"
        look="cards"
        value={choice.fault}
        options={troubles.map(({ fault, title, about }) => ({ value: fault, title, about }))}
        onChoose={(fault) => choose({ fault })}
      />
      <div className="buttons">
        <button type="button" aria-pressed={cut} onClick={() => cutNetwork(!cut)}>
          {cut ? 'Mend the network' : 'Cut the network'}
        </button>
        <button type="button" disabled={server === 'down'} onClick={() => void killServer()}>
          {server === 'down' ? 'The server is starting …' : 'Kill the server now'}
        </button>
      </div>
    </div>
  );
}
