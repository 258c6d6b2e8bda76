import type { RowChange } from '@onceward/core/journal';

/** What tabs tell each other. */
export type BusMessage =
  | RowChange
  /** Is the leader alive? */
  | 'ping'
  /** It is. */
  | 'pong';

/** The line between the tabs that share one name. */
export interface Bus {
  send(message: BusMessage): void;
  /** Calls back for what others send; the returned function stops that. */
  listen(listener: (message: BusMessage) => void): () => void;
}

/**
 * A line over a `BroadcastChannel`, which is open only while somebody listens: an idle page keeps
 * nothing open that a browser would have to wake it for.
 */
export function openBus(name: string): Bus {
  const listeners = new Set<(message: BusMessage) => void>();
  let channel: BroadcastChannel | undefined;

  return {
    send(message) {
      if (channel) return channel.postMessage(message);
      const once = new BroadcastChannel(name);
      once.postMessage(message);
      once.close();
    },
    listen(listener) {
      listeners.add(listener);
      channel ??= new BroadcastChannel(name);
      channel.onmessage = ({ data }: MessageEvent<BusMessage>) => {
        for (const each of listeners) each(data);
      };
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return;
        channel?.close();
        channel = undefined;
      };
    },
  };
}
