/** The object stores of a journal. */
export type StoreName = 'rows' | 'leases';

/** One database, opened when it is first needed, and again after it was closed. */
export interface Database {
  /**
   * Runs one short transaction. Resolves with what `run` returned once that is on the disk, and
   * rejects, with nothing written, when anything went wrong.
   */
  transact<T>(
    store: StoreName,
    mode: IDBTransactionMode,
    run: (store: IDBObjectStore) => Promise<T>,
  ): Promise<T>;
  close(): Promise<void>;
}

export function lazyDatabase(name: string): Database {
  let opening: Promise<IDBDatabase> | undefined;
  const forget = () => (opening = undefined);
  const connect = () => (opening ??= openDatabase(name, forget));

  const begin = async (store: StoreName, mode: IDBTransactionMode) => {
    const start = async () => (await connect()).transaction(store, mode, { durability: 'strict' });
    // Once more: another tab may have asked us to close in the meantime, the browser may have done
    // it and, as WebKit does, told nobody, and what could not be opened before may open now.
    return start().catch(() => {
      forget();
      return start();
    });
  };

  return {
    async transact(store, mode, run) {
      const transaction = await begin(store, mode);
      const completed = new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        // A full disk shows here, when every request has succeeded.
        transaction.onabort = () =>
          reject(transaction.error ?? new Error('The browser aborted it'));
      });
      const answer = run(transaction.objectStore(store)).catch((error: unknown) => {
        abort(transaction);
        throw error;
      });
      const [value] = await Promise.all([answer, completed]);
      return value;
    },
    async close() {
      const connection = opening;
      forget();
      (await connection?.catch(() => undefined))?.close();
    },
  };
}

function openDatabase(name: string, forget: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      const rows = request.result.createObjectStore('rows', {
        keyPath: 'seq',
        autoIncrement: true,
      });
      rows.createIndex('scope', 'scope');
      // Rows without an intent are not in it: `null` is no key.
      rows.createIndex('intent', ['scope', 'intent'], { unique: true });
      // Numbers go on from here. A page may still know the rows of a database that was deleted, and
      // must not take another row for one of them.
      rows.add({ seq: Date.now() });
      rows.clear();
      request.result.createObjectStore('leases');
    };
    request.onerror = () => reject(request.error!);
    request.onsuccess = () => {
      const database = request.result;
      // A later version, or somebody who deletes the database, would wait for us for ever.
      database.onversionchange = () => {
        forget();
        database.close();
      };
      database.onclose = forget;
      resolve(database);
    };
  });
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // The failure has ended it already.
  }
}
