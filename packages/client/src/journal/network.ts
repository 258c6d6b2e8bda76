/** Whether there is any point in sending. */
export interface Network {
  online(): boolean;
  /** Calls back when there may be again; the returned function stops that. */
  listen(listener: () => void): () => void;
}

/** What the browser says; where nobody says anything, online. */
export const systemNetwork: Network = {
  online: () => (globalThis as Page).navigator?.onLine !== false,
  listen(listener) {
    const page = globalThis as Page;
    page.addEventListener?.('online', listener);
    return () => page.removeEventListener?.('online', listener);
  },
};

interface Page {
  readonly navigator?: { readonly onLine?: boolean };
  addEventListener?(name: string, listener: () => void): void;
  removeEventListener?(name: string, listener: () => void): void;
}
