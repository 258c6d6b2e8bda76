import { describeJournalStore } from '@onceward/conformance';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { keyValueJournal } from './key-value-journal.ts';
import type { KeyValueStorage } from './key-value-storage.ts';
import { mmkvStorage } from './mmkv-storage.ts';

const draft = { scope: 'alice', intent: null, body: 'pay 100' };

afterEach(() => void vi.restoreAllMocks());

describe.each(['AsyncStorage', 'MMKV'] as const)('the key-value journal over %s', (kind) => {
  describeJournalStore({ describe, test }, async () => {
    const items = new Map<string, string>();
    const storage = kind === 'MMKV' ? mmkvStorage(mmkvOver(items)) : asyncStorageOver(items);
    return {
      store: keyValueJournal(storage),
      peers: [keyValueJournal(storage)],
      reopen: async () => keyValueJournal(storage),
      async corrupt(seq) {
        const key = [...items.keys()].find((found) => found.startsWith(`onceward:${seq}:`)) ?? '';
        items.set(key, items.get(key)?.slice(0, -3) ?? '');
      },
      async [Symbol.asyncDispose]() {},
    };
  });
});

test('keys of others are left alone, also those that begin alike', async () => {
  const items = new Map([
    ['token', 'secret'],
    ['onceward:settings', '{}'],
    ['onceward:7:later', 'x'],
    ['onceward:7:"la"ter"', 'x'],
  ]);
  const store = keyValueJournal(asyncStorageOver(items));
  const { row } = await store.insert(draft);
  expect(await store.list('alice')).toEqual([row]);
  expect(await store.countOthers('bob')).toBe(1);
  await store.remove(row);
  expect(items.get('token')).toBe('secret');
  expect(items.get('onceward:7:later')).toBe('x');
});

test('journals with different prefixes share a storage and nothing else', async () => {
  const storage = asyncStorageOver(new Map());
  const [shop, bank] = ['shop:', 'bank:'].map((prefix) => keyValueJournal(storage, { prefix }));
  await shop?.insert({ ...draft, intent: 'checkout' });
  expect((await bank?.insert({ ...draft, intent: 'checkout' }))?.kind).toBe('inserted');
  expect(await bank?.list('alice')).toHaveLength(1);
});

test('two journals over one MMKV take turns', async () => {
  const mmkv = mmkvOver(new Map());
  const journals = [keyValueJournal(mmkvStorage(mmkv)), keyValueJournal(mmkvStorage(mmkv))];
  const inserted = await Promise.all(journals.map((store) => store.insert(draft)));
  const [first, second] = inserted.map(({ row }) => row.seq);
  expect(second).toBeGreaterThan(first!);
});

test('a storage that fails rejects, and the next call has its turn', async () => {
  const items = new Map<string, string>();
  let full = true;
  const storage: KeyValueStorage = {
    ...asyncStorageOver(items),
    async setItem(key, value) {
      if (full) throw new Error('database or disk is full');
      items.set(key, value);
    },
  };
  const store = keyValueJournal(storage);
  await expect(store.insert(draft)).rejects.toThrow('database or disk is full');
  full = false;
  const { row } = await store.insert(draft);
  expect(await store.list('alice')).toEqual([row]);
});

describe('the number of a row', () => {
  test('is not given again when it is removed, whatever the clock says', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(1_000);
    const storage = asyncStorageOver(new Map());
    const first = await keyValueJournal(storage).insert(draft);
    await keyValueJournal(storage).remove(first.row);
    const second = await keyValueJournal(storage).insert(draft);
    expect([first.row.seq, second.row.seq]).toEqual([1_001, 1_002]);
  });

  test('is not given again when an app has emptied the storage', async () => {
    const now = vi.spyOn(Date, 'now').mockReturnValue(1_000);
    const items = new Map<string, string>();
    const store = keyValueJournal(asyncStorageOver(items));
    const first = await store.insert(draft);
    items.clear();
    now.mockReturnValue(2_000);
    const second = await store.insert(draft);
    expect([first.row.seq, second.row.seq]).toEqual([1_001, 2_001]);
  });

  test('is one, also when the counter is not', async () => {
    const items = new Map([['onceward:last-seq', 'x']]);
    const store = keyValueJournal(asyncStorageOver(items));
    const { row } = await store.insert(draft);
    await store.remove(row);
    expect(items.get('onceward:last-seq')).toBe(`${row.seq}`);
    const next = await store.insert(draft);
    expect(await store.list('alice')).toEqual([next.row]);
  });
});

test('MMKV before 4.0 deletes where later versions remove', async () => {
  const items = new Map<string, string>();
  const { remove, ...others } = mmkvOver(items);
  const store = keyValueJournal(mmkvStorage({ ...others, delete: remove }));
  const { row } = await store.insert(draft);
  expect(await store.remove(row)).toBe('removed');
  expect(await store.list('alice')).toEqual([]);
});

/** Native storages keep UTF-8: what has no place in it is lost. */
const asNative = (text: string) => text.replace(/\p{Surrogate}/gu, '\ufffd');

function asyncStorageOver(items: Map<string, string>): KeyValueStorage {
  return {
    getItem: async (key) => items.get(asNative(key)) ?? null,
    setItem: async (key, value) => void items.set(asNative(key), asNative(value)),
    removeItem: async (key) => void items.delete(asNative(key)),
    getAllKeys: async () => [...items.keys()].reverse(),
  };
}

function mmkvOver(items: Map<string, string>) {
  return {
    getString: (key: string) => items.get(asNative(key)),
    set: (key: string, value: string) => void items.set(asNative(key), asNative(value)),
    remove: (key: string) => items.delete(asNative(key)),
    getAllKeys: () => [...items.keys()],
  };
}
