// TanStack Query and its persister, set up as its guide to offline mutations shows, over IndexedDB.
import { createAsyncStoragePersister } from '@tanstack/query-async-storage-persister';
import { persistQueryClient } from '@tanstack/query-persist-client-core';
import { MutationObserver, QueryClient } from '@tanstack/react-query';
import { del, get, set } from 'idb-keyval';

const queryClient = new QueryClient();
queryClient.setMutationDefaults(['pay'], {
  mutationFn: async (note: string) => {
    const response = await fetch('/pay', { method: 'POST', body: JSON.stringify({ note }) });
    if (!response.ok) throw new Error(`HTTP status ${response.status}`);
    return (await response.json()) as unknown;
  },
});

export async function start(): Promise<void> {
  queryClient.mount();
  const persister = createAsyncStoragePersister({
    storage: { getItem: (key) => get(key), setItem: set, removeItem: del },
  });
  // The persister is of another release, with its own type of the same client.
  const options = { queryClient, persister } as never;
  const [, restored] = persistQueryClient(options);
  await restored;
  void queryClient.resumePausedMutations();
}

export function pay(note: string): void {
  const observer = new MutationObserver<unknown, Error, string>(queryClient, {
    mutationKey: ['pay'],
  });
  observer.mutate(note).catch(() => {});
}
