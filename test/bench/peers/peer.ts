import type { Driver } from './floors.ts';

/** A library that makes deliveries under one key happen once, on a server of its own. */
export interface Peer extends AsyncDisposable {
  /**
   * Delivers a payment as a server would: whatever the library does before and after the handler,
   * which does nothing. Under a key that was delivered before, it replays.
   */
  deliver(key: string): Promise<unknown>;
}

/** Where a peer keeps its records, and which one it is. */
export interface PeerEntry {
  /** As it is called in figures. */
  readonly name: string;
  /** As it is called in docs/compared.md. */
  readonly library: string;
  readonly store: 'redis' | 'postgres';
  /** What it talks to the store with. */
  readonly driver: Driver;
  /** Loads it, too, and not before: some slow the process down that they are in. */
  open(url: string): Promise<Peer>;
}

/** What every delivery asks for. */
export const payment = { to: 'NL91ABNA0417164300', cents: 12_50, currency: 'EUR' };

/** The handler, whose answer has about 512 bytes. */
export async function pay({ cents, to }: typeof payment) {
  executed++;
  return { id: 'payment-1', status: 'accepted', cents, to, note };
}

/** How often the handler ran. */
export function executions(): number {
  return executed;
}

let executed = 0;

const note = 'a'.repeat(420);
