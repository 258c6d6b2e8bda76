import { keyTimestamp, mintKey, type IdempotencyKey } from '@onceward/core';
import { useSyncExternalStore } from 'react';
import { isUnderWay, type Attempt, type Choice, type Order, type Outcome } from './order.ts';

/** What all tabs of this browser know. Kept in `localStorage`: this is the page, not the product. */
export interface ShopState {
  readonly user: string;
  /** Whether somebody has cut the network. */
  readonly cut: boolean;
  readonly choice: Choice;
  /** The order that the button is about. It exists as soon as the button was pressed. */
  readonly next: { readonly id: string; readonly number: number };
  /** Oldest first. */
  readonly orders: readonly Order[];
}

const name = 'onceward playground';
const mostOrders = 12;
const forgotten: Outcome = {
  kind: 'forgotten',
  words: 'The page has forgotten that it asked. Press the button again?',
};

/** One name for a tab, also after a reload. */
export const thisTab = (sessionStorage['tab'] ??= mintKey()) as string;

const listeners = new Set<() => void>();
let current = withoutLeftovers(read() ?? firstState());
write(current);
addEventListener('storage', (event) => {
  if (event.key !== name) return;
  // Emptied by a tab that starts afresh: this one goes along.
  if (event.newValue === null) return location.reload();
  current = read() ?? current;
  tell();
});

// What a page learns while it is left, that its requests were broken off, nobody is told.
let leaving = false;
addEventListener('pagehide', () => (leaving = true));
addEventListener('pageshow', () => (leaving = false));

export function shopState(): ShopState {
  return current;
}

export function onShopState(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useShop(): ShopState {
  return useSyncExternalStore(onShopState, shopState);
}

/** Changes what all tabs know, beginning with what another one may have written just now. */
export function changeShop(change: (state: ShopState) => Partial<ShopState>): void {
  if (leaving) return;
  const latest = read() ?? current;
  current = { ...latest, ...change(latest) };
  write(current);
  tell();
}

export function orderWith(id: string): Order | undefined {
  return current.orders.find((order) => order.id === id);
}

function changeOrder(id: string, change: (order: Order) => Partial<Order>): void {
  changeShop(({ orders }) => ({
    orders: orders.map((order) => (order.id === id ? { ...order, ...change(order) } : order)),
  }));
}

/** Chooses something else. What was pressed already keeps what it was pressed with. */
export function choose(change: Partial<Choice>): void {
  changeShop(({ choice, orders, next }) => ({
    choice: { ...choice, ...change },
    ...(orders.some(({ id }) => id === next.id) && { next: following(next) }),
  }));
}

export function startNewOrder(): void {
  changeShop(({ next }) => ({ next: following(next) }));
}

/** Counts a press of the button, and says which order it was about. */
export function pressedOrder(): Order {
  changeShop(({ choice, next, orders }) => {
    if (orders.some(({ id }) => id === next.id)) return {};
    const order: Order = { ...choice, ...next, presses: 0, attempts: [], outcome: null };
    return { orders: [...orders, order].slice(-mostOrders) };
  });
  const { id } = current.next;
  changeOrder(id, ({ presses }) => ({ presses: presses + 1 }));
  const order = orderWith(id);
  if (!order) throw new Error('The order was made just now');
  return order;
}

export function settleOrder(id: string, outcome: Outcome): void {
  changeOrder(id, () => ({ outcome }));
}

export function addAttempt(id: string, attempt: Attempt): void {
  changeOrder(id, ({ attempts }) => ({ attempts: [...attempts, attempt] }));
}

export function changeAttempt(id: string, attempt: string, change: Partial<Attempt>): void {
  changeOrder(id, ({ attempts }) => ({
    attempts: attempts.map((each) => (each.id === attempt ? { ...each, ...change } : each)),
  }));
}

/** Another guest, whose ledger is empty, in all tabs. */
export function startAfresh(): void {
  localStorage.removeItem(name);
  location.reload();
}

function firstState(): ShopState {
  const id = mintKey();
  return {
    user: `guest-${id.slice(-4)}`,
    cut: false,
    choice: { wish: 'pay', api: 'trpc', guarded: true, fault: '' },
    next: { id, number: 1 },
    orders: [],
  };
}

function following({ number }: ShopState['next']): ShopState['next'] {
  return { id: mintKey(), number: number + 1 };
}

/** What this tab had under way when it was reloaded ended there, as far as it can know. */
function withoutLeftovers(state: ShopState): ShopState {
  const leave = (attempt: Attempt): Attempt =>
    attempt.tab !== thisTab || !isUnderWay(attempt)
      ? attempt
      : {
          ...attempt,
          phase: 'lost',
          lostWhile: attempt.phase as 'going',
          words: 'the page was reloaded',
        };
  const orders = state.orders.map((order): Order => {
    // Without a journal, whether to try again was known to the page that is gone.
    const forgets = !order.guarded && order.attempts.at(-1)?.tab === thisTab;
    return {
      ...order,
      attempts: order.attempts.map(leave),
      outcome: order.outcome ?? (forgets ? forgotten : null),
    };
  });
  const { next } = state;
  const pressed = orders.some(({ id }) => id === next.id);
  const stale = Date.now() - keyTimestamp(next.id as IdempotencyKey) > 3_600_000;
  return { ...state, orders, next: stale && !pressed ? { ...next, id: mintKey() } : next };
}

function read(): ShopState | undefined {
  const text = localStorage.getItem(name);
  return text === null ? undefined : (JSON.parse(text) as ShopState);
}

function write(state: ShopState): void {
  localStorage.setItem(name, JSON.stringify(state));
}

function tell(): void {
  for (const listener of listeners) listener();
}
