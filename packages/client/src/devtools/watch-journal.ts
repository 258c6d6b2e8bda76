import type { Journal } from '../journal/journal.ts';
import type { WatchableJournal } from './devtools-options.ts';
import { IntentLog } from './intent-log.ts';
import { createNetworkSwitch, type NetworkSwitch } from './network-switch.ts';
import { createWatchedSenders } from './watched-senders.ts';

/** A journal that is watched. */
export interface WatchedJournal {
  readonly log: IntentLog;
  readonly network: NetworkSwitch;
  readonly paused: boolean;
  /** Pauses the journal until somebody resumes it, or nobody watches any more. */
  pause(): void;
  /** Leaves the journal as it was found, with the network mended. */
  stop(): void;
}

/**
 * Watches every attempt of this page from outside, because the journal pays for no hook of its own:
 * what hands it a way to send is covered by what hands it the same way, watched.
 *
 *   link ──▶ submit(submission, send) ──▶ journal ──▶ watched ──▶ switch ──▶ send
 *   link ──▶ connect(name, channel)   ──▶ journal ──▶ watched ──▶ switch ──▶ channel
 */
export function watchJournal(
  journal: WatchableJournal,
  changed: () => void,
  now: () => number,
): WatchedJournal {
  const log = new IntentLog(now);
  const network = createNetworkSwitch();
  const senders = createWatchedSenders({ log, network, changed, now });
  let paused = false;
  let pausedHere = false;

  const { submit, connect, pause, resume } = journal;
  const cover: Pick<Journal, 'submit' | 'connect' | 'pause' | 'resume'> = {
    submit(submission, send) {
      // With a key from here, the record is known before it is written.
      const key = submission.key ?? journal.mintKey();
      const watched = send && senders.send(send, { id: key, channel: submission.channel });
      return submit.call(journal, { ...submission, key }, watched);
    },
    connect(name, channel) {
      connect.call(journal, name, senders.channel(name, channel));
    },
    pause() {
      paused = true;
      pause.call(journal);
      changed();
    },
    resume() {
      paused = pausedHere = false;
      resume.call(journal);
      changed();
    },
  };
  const uncover = coverMethods(journal, cover);
  const unsubscribe = journal.subscribe(see);
  see();

  return {
    log,
    network,
    get paused() {
      return paused;
    },
    pause() {
      pausedHere = true;
      journal.pause();
    },
    stop() {
      unsubscribe();
      network.mend();
      uncover();
      // Or nobody would see any more why nothing is sent.
      if (pausedHere) journal.resume();
    },
  };

  function see(): void {
    log.see(journal.records());
    changed();
  }
}

/** Puts methods over those of an object. Returns how to take them away again. */
function coverMethods<T extends object>(object: T, methods: Partial<T>): () => void {
  const names = Object.keys(methods);
  const own = names.map((name) => Object.getOwnPropertyDescriptor(object, name));
  Object.assign(object, methods);
  return () => {
    for (const [index, name] of names.entries()) {
      const before = own[index];
      if (before) Object.defineProperty(object, name, before);
      // Those of a class are behind it.
      else Reflect.deleteProperty(object, name);
    }
  };
}
