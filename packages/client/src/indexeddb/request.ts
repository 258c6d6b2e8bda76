/** What a request brings. When it fails, so does its transaction. */
export function result<T>(request: IDBRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result as T);
    request.onerror = () => reject(request.error!);
  });
}

/** As `result`, or `undefined` for what cannot be read, which ends nothing else. */
export function resultIfReadable<T>(request: IDBRequest): Promise<T | undefined> {
  return new Promise((resolve) => {
    request.onsuccess = () => resolve(request.result as T);
    request.onerror = (event) => {
      event.preventDefault();
      resolve(undefined);
    };
  });
}
