import { makeOperation, type Operation } from '@urql/core';
import type { Attempt } from '../attempt.ts';
import type { KeyCarrier } from '../graphql/graphql-options.ts';
import { variablesWithKey } from '../graphql/kept-mutation.ts';
import type { OpenedMutation } from '../graphql/open-mutation.ts';

/**
 * The operation that one attempt sends, with the key.
 *
 * It has a `key` of its own, by which urql tells operations apart: two calls that are equal in
 * everything share theirs, and ending an attempt of one would end that of the other.
 */
export function attemptOperation(
  operation: Operation,
  { variables, keyVariable, carrier, owner }: Parcel,
  attempt: Attempt,
): Operation {
  const { extensions, context } = operation;
  const key = attempt.takeKey();
  const request = {
    ...operation,
    key: --lastKey,
    variables: variablesWithKey(variables, keyVariable, key),
    ...(key && carrier !== 'header' && { extensions: { ...extensions, idempotencyKey: key } }),
  };
  return makeOperation('mutation', request, {
    ...context,
    [slot]: owner,
    ...(key &&
      carrier !== 'extensions' && { fetchOptions: () => fetchOptionsOf(context, attempt) }),
  });
}

/** urql counts upwards from zero. */
let lastKey = 0;

/** What the attempts for one operation have in common. */
export interface Parcel extends Pick<OpenedMutation, 'variables' | 'keyVariable'> {
  readonly carrier: KeyCarrier;
  /** Who sends them. */
  readonly owner: object;
}

/** Who sends an attempt, for an operation that is one: it has its key, and is retried. */
export function ownerOf({ context }: Operation): object | undefined {
  return (context as { [slot]?: object })[slot];
}

/**
 * The operation of the caller, as results show it.
 *
 * It carries the key wherever something above may keep it: the offline exchange sends the context
 * of this operation again, and after a reload its variables and its extensions.
 */
export function settledOperation(operation: Operation, opened: OpenedMutation): Operation {
  const { intent, variables } = opened;
  if (!intent.key) return operation;
  const extensions = { ...operation.extensions, idempotencyKey: intent.key };
  return makeOperation(
    'mutation',
    { ...operation, variables, extensions },
    {
      ...operation.context,
      idempotencyKey: intent.key,
    },
  );
}

function fetchOptionsOf({ fetchOptions }: Operation['context'], attempt: Attempt): RequestInit {
  const own = typeof fetchOptions === 'function' ? fetchOptions() : fetchOptions;
  const headers = new Headers(own?.headers);
  for (const [name, value] of Object.entries(attempt.headers())) headers.set(name, value);
  return { ...own, headers };
}

const slot = Symbol.for('@onceward/client.urql.attempt');
