import { callable } from '../check-option.ts';
import {
  deliverPending,
  type DeliverPendingOptions,
  type PendingJournal,
} from './deliver-pending.ts';
import { defaultTag } from './sync-tag.ts';

/** Which events to react to, and for how long. */
export interface DeliverOnBackgroundSyncOptions extends DeliverPendingOptions {
  /** The same as in the pages. @defaultValue `'onceward'` */
  tag?: string | undefined;
}

/** A journal with something to send it; nothing while nobody is signed in. */
export type JournalToDeliver = PendingJournal | null | undefined;

/**
 * In a service worker: delivers what pages have left whenever the browser says that there is a
 * network. Call it while the worker is loaded; later, the browser no longer listens.
 *
 * `openJournal` makes a journal for each event, over the store of the pages and for the user who is
 * signed in now, and connects it. It is closed when the event is over.
 *
 * @example
 * ```ts
 * deliverOnBackgroundSync(async () => {
 *   const user = await signedInUser();
 *   if (!user) return null;
 *   const journal = createJournal<AppRouter>({ store: indexedDbJournal(), scope: user.id });
 *   resumeDelivery(createTRPCClient<AppRouter>({ links: [idempotencyLink({ journal }), httpLink(http)] }));
 *   return journal;
 * });
 * ```
 */
export function deliverOnBackgroundSync(
  openJournal: () => JournalToDeliver | Promise<JournalToDeliver>,
  { tag = defaultTag, ...options }: DeliverOnBackgroundSyncOptions = {},
): void {
  callable('openJournal', openJournal);
  const deliver = async () => {
    const journal = await openJournal();
    if (journal) await deliverPending(journal, options);
  };
  (globalThis as unknown as SyncWorker).addEventListener('sync', (event) => {
    if (event.tag === tag) event.waitUntil(deliver());
  });
}

/** What of a service worker is used; its types and those of a page exclude each other. */
interface SyncWorker {
  addEventListener(type: 'sync', listener: (event: SyncEvent) => void): void;
}

interface SyncEvent {
  readonly tag: string;
  /** When the promise is rejected, the browser sends the event again, a few times. */
  waitUntil(work: Promise<void>): void;
}
