/**
 * Whether a result was stored by an earlier attempt, and this one executed nothing.
 *
 * Read from the body, because browsers hide the header across origins, batches share it and
 * sockets have none.
 */
export function wasReplayed(result: { readonly extensions?: unknown } | null | undefined): boolean {
  const extensions = result?.extensions as { idempotency?: { replayed?: unknown } } | undefined;
  return extensions?.idempotency?.replayed === true;
}
