// The page of a shop, as an application would write it. Tests call what its buttons would.
import { JournalError, type JournalEvent, type JournalRecord } from '@onceward/client';
import { indexedDbJournal } from '@onceward/client/indexeddb';
import { registerBackgroundSync } from '@onceward/client/service-worker';
import {
  createJournal,
  idempotencyHeaders,
  idempotencyLink,
  journalEntry,
  statusAwareFetch,
} from '@onceward/client/trpc';
import { createTRPCClient, httpLink } from '@trpc/client';
import superjson from 'superjson';
import type { AppRouter } from '../../../apps/playground/src/trpc/app-router.ts';
import type { PaymentReceipt } from '../../../apps/playground/src/shop/pay.ts';

/** What somebody was told about a payment. */
export type Told =
  | { readonly paid: PaymentReceipt }
  | { readonly error: string; readonly reason?: string | undefined };

/** What `onSettled` was told. */
export type Settled = Told & { readonly record: JournalRecord };

/** In the order in which they were told. */
export const callers: Told[] = [];
export const settled: Settled[] = [];
export const events: JournalEvent['kind'][] = [];
/** Whether the store took an intent as a new one. */
export const insertions: ('inserted' | 'joined')[] = [];
/** How often the journal has asked to sign in again. */
export const refreshes: string[] = [];

const page = new URL(location.href);
const user = page.searchParams.get('user') ?? 'alice';
localStorage.setItem('user', user);
if (!page.searchParams.has('expired')) localStorage.setItem('token', user);

const rows = indexedDbJournal();

export const journal = createJournal<AppRouter>({
  store: {
    ...rows,
    async insert(draft) {
      const insertion = await rows.insert(draft);
      insertions.push(insertion.kind);
      return insertion;
    },
  },
  scope: () => localStorage.getItem('user'),
  transformer: superjson,
  baseDelayMs: 50,
  async refresh() {
    refreshes.push(user);
    localStorage.setItem('token', user);
  },
  onEvent: ({ kind }) => void events.push(kind),
});

journal.onSettled('pay', (ended) => {
  const { record } = ended;
  if (ended.kind === 'succeeded') settled.push({ paid: ended.result, record });
  else settled.push({ ...described(ended.error), record });
});

const client = createTRPCClient<AppRouter>({
  links: [
    idempotencyLink({ journal }),
    httpLink({
      url: '/trpc',
      transformer: superjson,
      headers: idempotencyHeaders(() => ({
        authorization: `Bearer ${localStorage.getItem('token') ?? ''}`,
      })),
      fetch: statusAwareFetch(),
    }),
  ],
});

// What an earlier page has left is delivered with the first operation, whatever becomes of that.
client.effects.query().catch(() => {});

/** Pays, and writes down what the caller was told. */
export async function pay(amountCents: number, intent?: string): Promise<void> {
  const entry = journalEntry(intent === undefined ? {} : { intent });
  const told = await client.pay.mutate({ to: 'bob', amountCents }, entry).then(
    (paid) => ({ paid }),
    (error: unknown) => described(error),
  );
  callers.push(told);
}

export async function signOut(): Promise<void> {
  localStorage.removeItem('user');
  localStorage.removeItem('token');
  await caches.delete('session');
}

/** Caches the page, so that it can be loaded without a network. */
export async function installWorker(): Promise<void> {
  await navigator.serviceWorker.register('/worker.js');
  await navigator.serviceWorker.ready;
}

/** Lets a service worker deliver what is left when the page is gone. */
export async function installSyncWorker(): Promise<void> {
  const session = await caches.open('session');
  // Where a service worker finds it. Of an application that uses cookies, it has them anyway.
  await session.put('/user', new Response(user));
  await navigator.serviceWorker.register('/sync-worker.js');
  await navigator.serviceWorker.ready;
  registerBackgroundSync(journal);
}

/** Tries to keep a photo of about three megabytes. Resolves with the name of the error. */
export async function savePhoto(): Promise<string> {
  const photos = indexedDbJournal({ name: 'photos' });
  // Noise, which the browser cannot compress.
  const noise = String.fromCharCode(...crypto.getRandomValues(new Uint16Array(30_000)));
  return photos.insert({ scope: user, intent: null, body: noise.repeat(50) }).then(
    () => 'none',
    ({ name }: Error) => name,
  );
}

function described(error: unknown): { error: string; reason?: string | undefined } {
  const { name, message, cause } = error as Error;
  if (!JournalError.is(cause)) return { error: `${name}: ${message}` };
  const { name: reason } = (cause.cause ?? {}) as Partial<Error>;
  return { error: `${name}: ${cause.name}: ${cause.reason}`, reason };
}
