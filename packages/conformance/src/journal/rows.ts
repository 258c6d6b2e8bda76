import assert from 'node:assert/strict';
import type { JournalDraft, JournalRow, JournalStore } from '@onceward/core/journal';
import type { JournalHarness } from './harness.ts';

/** A draft of alice's, with no intent that another could join. */
export function newDraft(overrides: Partial<JournalDraft> = {}): JournalDraft {
  return { scope: 'alice', intent: null, body: 'pay 100', ...overrides };
}

/** Inserts a row of its own, and returns it. */
export async function insertRow(
  store: JournalStore,
  overrides: Partial<JournalDraft> = {},
): Promise<JournalRow> {
  const { kind, row } = await store.insert(newDraft(overrides));
  assert.equal(kind, 'inserted');
  return row;
}

/** Updates a row that nobody else has touched, and returns what it is now. */
export async function updateRow(store: JournalStore, row: JournalRow): Promise<JournalRow> {
  const update = await store.update(row);
  assert.equal(update.kind, 'updated');
  return update.row;
}

/** The store and its peers in turn: what several tabs do at once. */
export function inTurns<T>(
  { store, peers = [] }: JournalHarness,
  { times }: { times: number },
  call: (store: JournalStore, turn: number) => Promise<T>,
): Promise<T[]> {
  const stores = [store, ...peers];
  return Promise.all(
    Array.from({ length: times }, (_, turn) =>
      call(stores[turn % stores.length] as JournalStore, turn),
    ),
  );
}

/**
 * What a new process finds, and a way to close it; `undefined` for a store that promises to keep
 * nothing.
 */
export async function reopened(
  harness: JournalHarness,
): Promise<(JournalStore & AsyncDisposable) | undefined> {
  if (!harness.reopen) {
    assert.equal(harness.store.durability, 'memory', 'a store that keeps rows can be reopened');
    return undefined;
  }
  const store = await harness.reopen();
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() });
}
