import type { Attempt, Send } from '../attempt.ts';
import { describeFailure, type Failure } from '../failure.ts';
import type { Channel } from '../journal/channel.ts';
import { retryAfterMs } from '../retry/retry-after.ts';
import type { AttemptEnd, IntentLog } from './intent-log.ts';
import { DroppedNetworkError, type NetworkSwitch } from './network-switch.ts';

interface Watch {
  readonly log: IntentLog;
  readonly network: NetworkSwitch;
  readonly changed: () => void;
  readonly now: () => number;
}

/** Ways to send that say what becomes of each attempt, and fail while the network is dropped. */
export function createWatchedSenders({ log, network, changed, now }: Watch) {
  const channels = new Map<string, Channel>();
  const watched = new WeakMap<Channel, Channel>();
  return {
    /** For a record whose caller is still on this page. */
    send(send: Send<unknown>, { id, channel }: { id: string; channel: string }): Send<unknown> {
      return (attempt) =>
        watch(() => send(attempt), { id, attempt, channel: channels.get(channel) });
    },
    /** For all others. The same for the same, because links connect again and again. */
    channel(name: string, channel: Channel): Channel {
      channels.set(name, channel);
      const known = watched.get(channel) ?? watchedChannel(channel);
      watched.set(channel, known);
      return known;
    },
  };

  function watchedChannel(channel: Channel): Channel {
    return {
      send: (input, attempt, record) =>
        watch(() => channel.send(input, attempt, record), { id: record.id, attempt, channel }),
      describeFailure: (error) => describe(error, channel),
      preserve: (error) => channel.preserve(error),
      revive: (preserved, record) => channel.revive(preserved, record),
    };
  }

  async function watch(work: () => Promise<unknown>, { id, attempt, channel }: Watched) {
    log.began(id);
    changed();
    try {
      const value = await network.through(work);
      log.ended(id, { kind: 'succeeded' });
      return value;
    } catch (error) {
      // Not taken, it would look as if the link had forgotten it, and the intent would be given up.
      if (error instanceof DroppedNetworkError) attempt.takeKey();
      log.ended(id, endOf(error, channel));
      throw error;
    } finally {
      changed();
    }
  }

  function endOf(error: unknown, channel: Channel | undefined): AttemptEnd {
    if (error instanceof DroppedNetworkError) return { kind: 'dropped' };
    const failure = describe(error, channel);
    return { kind: 'failed', failure, retryAfterMs: retryAfterMs(failure, now()) };
  }
}

interface Watched {
  readonly id: string;
  readonly attempt: Attempt;
  /** Unknown when it was connected before the panel was mounted. */
  readonly channel: Channel | undefined;
}

function describe(error: unknown, channel: Channel | undefined): Failure {
  if (error instanceof DroppedNetworkError) return { kind: 'network' };
  return channel?.describeFailure(error) ?? describeFailure(error);
}
