import { headerNames } from '@onceward/core';

/** Every key that the headers name: one, or those of a batch. */
export function keysInHeaders(headers: Headers): string[] {
  return keysIn([headerNames.key, headerNames.trpcKeys].map((name) => headers.get(name) ?? ''));
}

/** The keys in these texts, in the one way of writing them, whatever stands around them. */
export function keysIn(texts: readonly string[]): string[] {
  return (
    texts
      .join(' ')
      .toLowerCase()
      .match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []
  );
}
