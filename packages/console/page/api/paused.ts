import { useSyncExternalStore } from 'react';

let paused = false;
const listeners = new Set<() => void>();

/** Whether the page stands still, for all of its parts. */
export function usePaused(): boolean {
  return useSyncExternalStore(subscribe, () => paused);
}

export function setPaused(value: boolean): void {
  paused = value;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
