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
  readonly store: 'redis' | 'postgres';
  open(url: string): Promise<Peer>;
}

/** What every delivery asks for, and what it is answered: about 512 bytes. */
export const payment = { to: 'NL91ABNA0417164300', cents: 12_50, currency: 'EUR' };
export const receipt = { id: 'payment-1', status: 'accepted', note: 'a'.repeat(450) };

/** The handler. */
export async function pay(): Promise<typeof receipt> {
  return receipt;
}
