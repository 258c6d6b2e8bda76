import type { Network } from '@onceward/client';
import { changeShop, onShopState, shopState } from '../shop/shop-state.ts';

/** Cuts the network of all tabs, or mends it. */
export function cutNetwork(cut: boolean): void {
  changeShop(() => ({ cut }));
}

/** What the journal is told about the network. */
export const switchedNetwork: Network = {
  online: () => !shopState().cut,
  listen(listener) {
    let wasCut = shopState().cut;
    return onShopState(() => {
      const { cut } = shopState();
      if (wasCut && !cut) listener();
      wasCut = cut;
    });
  },
};

/** Rejects as a request does when the network is cut, now or while somebody waits. */
export function untilCut(): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const look = () => {
    if (shopState().cut) controller.abort(new TypeError('The network was cut'));
  };
  look();
  return { signal: controller.signal, stop: onShopState(look) };
}
