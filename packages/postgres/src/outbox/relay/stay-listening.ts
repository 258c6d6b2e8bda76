import type { ResolvedRelay } from './relay-options.ts';
import { backoffMs } from './backoff.ts';
import { emit } from './relay-event.ts';
import { jobChannel } from '../sql/job-channel.ts';

/**
 * Listens until it is closed, and again whenever the connection was lost.
 *
 * `heard` is also called when listening begins: what was said before, nobody has heard.
 */
export function stayListening(relay: ResolvedRelay, heard: () => void): Listening {
  const { listener, clock, random, schema } = relay;
  if (!listener) return { close: async () => undefined };
  let closed = false;
  let losses = 0;
  let cancelRetry = () => {};
  let stop: (() => Promise<void>) | undefined;

  const listen = async (): Promise<void> => {
    try {
      const opened = await listener.listen(jobChannel(schema), { notice: heard, lost });
      if (closed) return await opened();
      stop = opened;
      losses = 0;
      emit(relay, { kind: 'listening-started' });
      heard();
    } catch (cause) {
      lost(cause);
    }
  };
  const lost = (cause: unknown) => {
    if (closed) return;
    stop = undefined;
    losses += 1;
    emit(relay, { kind: 'listening-lost', cause });
    const delayMs = backoffMs(losses, reopening, random);
    cancelRetry = clock.setTimer(() => void listen(), delayMs, { background: true });
  };
  void listen();
  return {
    async close() {
      closed = true;
      cancelRetry();
      await stop?.();
    },
  };
}

export interface Listening {
  close(): Promise<void>;
}

const reopening = { firstMs: 1_000, maxMs: 30_000 };
