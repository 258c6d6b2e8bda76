import type { JournalRow, JournalStore } from '@onceward/core/journal';
import { turns } from '../journal-fixture.ts';
import { never } from './bank.ts';

/** A page that writes. */
export interface Writer {
  isDead(): boolean;
}

/** How a page's store is disturbed. */
export interface Disturbance extends Writer {
  /** Turns of the microtask queue before and after a call: another page may come in between. */
  turns(): number;
  /** The page ends at its next calls: 1 for the next, and so on. */
  killIn: number;
  killWhen: 'before' | 'after';
  kill(): void;
  writesFail(): boolean;
  readsFail(): boolean;
}

/** What is told of a store, in the order it became durable. */
export interface StoreWatcher {
  wrote(row: JournalRow, writer: Writer): void;
  removed(seq: number): void;
}

/** A page's view of a store: it may fail, and the page may end before or after any call. */
export function watchedStore(
  store: JournalStore,
  watcher: StoreWatcher,
  disturbance: Disturbance,
): JournalStore {
  const call = async <T>(fails: () => boolean, work: () => Promise<T>): Promise<T> => {
    if (disturbance.isDead()) return never();
    const last = --disturbance.killIn === 0;
    await turns(disturbance.turns());
    if (last && disturbance.killWhen === 'before') disturbance.kill();
    if (disturbance.isDead()) return never();
    if (fails()) throw new Error('the disk is full');
    const result = await work();
    if (last) disturbance.kill();
    await turns(disturbance.turns());
    return disturbance.isDead() ? never() : result;
  };
  const write = <T>(work: () => Promise<T>) => call(() => disturbance.writesFail(), work);
  const read = <T>(work: () => Promise<T>) => call(() => disturbance.readsFail(), work);

  return {
    name: store.name,
    durability: store.durability,
    insert: (draft) =>
      write(async () => {
        const insertion = await store.insert(draft);
        if (insertion.kind === 'inserted') watcher.wrote(insertion.row, disturbance);
        return insertion;
      }),
    update: (row) =>
      write(async () => {
        const update = await store.update(row);
        if (update.kind === 'updated') watcher.wrote(update.row, disturbance);
        return update;
      }),
    remove: (row) =>
      write(async () => {
        const removal = await store.remove(row);
        if (removal === 'removed') watcher.removed(row.seq);
        return removal;
      }),
    get: (seq) => read(() => store.get(seq)),
    list: (scope) => read(() => store.list(scope)),
    countOthers: (scope) => read(() => store.countOthers(scope)),
    close: () => store.close(),
  };
}
