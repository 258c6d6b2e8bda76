import { keyValueJournal } from '@onceward/client/key-value';
import { exerciseAppJournal } from './exercise-app-journal.ts';
import type { DevicePlatform } from './journal-device.ts';

/** Uses a journal store over a storage of React Native, and reports what came out as plain JSON. */
export async function exerciseKeyValue() {
  const store = keyValueJournal(createStorage());
  const draft = { scope: 'alice \ud800', intent: 'checkout', body: 'half a character: \udfff' };
  const answers = await Promise.all([store.insert(draft), store.insert(draft)]);
  const { row } = await store.insert({ ...draft, intent: null });
  const update = await store.update({ ...row, body: 'sent' });
  const removed = await store.remove(update.row ?? row);
  const next = await store.insert({ ...draft, intent: null });
  const [first = next.row] = await store.list(draft.scope);
  return {
    kinds: answers.map(({ kind }) => kind),
    sameBody: first.body === draft.body,
    update: update.kind,
    removed,
    left: (await store.list(draft.scope)).length,
    numberIsNew: row.seq > first.seq && next.row.seq > row.seq,
    others: await store.countOthers(draft.scope),
  };
}

/** As `exerciseAppJournal`, over such a storage. */
export function exerciseKeyValueApp(platform: DevicePlatform = {}) {
  return exerciseAppJournal({ ...platform, openStore: () => keyValueJournal(createStorage()) });
}

function createStorage() {
  const items: Record<string, string> = {};
  return {
    getItem: (key: string) => Promise.resolve(items[key] ?? null),
    setItem: (key: string, value: string) => Promise.resolve(void (items[key] = value)),
    removeItem: (key: string) => Promise.resolve(void delete items[key]),
    getAllKeys: () => Promise.resolve(Object.keys(items)),
  };
}
