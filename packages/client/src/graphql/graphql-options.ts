import { callable } from '../check-option.ts';
import type { DeliveryOptions } from '../delivery-options.ts';

/** Where a request carries its key. */
export type KeyCarrier = 'extensions' | 'header' | 'both';

/** How a GraphQL client sends mutations. Every option has a default that is safe to keep. */
export interface GraphQLOptions<TOperation, TJournal> extends Omit<
  DeliveryOptions,
  'describeFailure'
> {
  /**
   * Where a request carries its key.
   *
   * - `extensions`: in its body. Goes wherever the mutation goes: through batches and sockets, past
   *   proxies, and across origins without a word in the server's CORS settings.
   * - `header`: as `Idempotency-Key`, for servers that look nowhere else. A batch has one header for
   *   all its mutations, so none with a key is put into one.
   * - `both`: for a gateway that reads the header in front of a server that reads the body.
   *
   * @defaultValue `'extensions'`
   */
  carrier?: KeyCarrier | undefined;
  /**
   * The variable for the key, in mutations that declare it: `@idempotent(key: $idempotencyKey)`.
   * Filled in if it was left out, and the key of the mutation if it was not.
   *
   * @defaultValue `'idempotencyKey'`
   */
  variable?: string | undefined;
  /**
   * Chooses the key of an operation, from its variables for example, so that it survives a reload.
   * `null` for no key: such a mutation is sent once. `undefined` for the default.
   *
   * @defaultValue derived from the current intent inside a handler of `@onceward/server`; minted
   * anywhere else
   */
  key?: ((operation: TOperation) => string | null | undefined) | undefined;
  /**
   * Keeps every mutation that has a key on the device until it settles, and delivers it: one that
   * `createJournal` of this entry has made. A deadline and a number of attempts are then the
   * journal's business.
   */
  journal?: TJournal | undefined;
  /**
   * With a journal: which entries of the context of a call are kept, for links that go by them,
   * such as `['clientName']`. Whatever else the context has is gone after a restart, headers above
   * all: links below make them. JSON, and no secrets.
   *
   * @defaultValue `[]`
   */
  keepContext?: readonly string[] | undefined;
  /** Where operations go: those for one origin share a retry budget. @defaultValue `''` */
  origin?: string | undefined;
}

/** `GraphQLOptions` after `resolveGraphQLOptions`, without those of the delivery. */
export interface ResolvedGraphQLOptions<TOperation> {
  readonly carrier: KeyCarrier;
  readonly variable: string;
  readonly keyOf: (operation: TOperation) => string | null | undefined;
  readonly origin: string;
  readonly keepContext: readonly string[];
}

export function resolveGraphQLOptions<TOperation>(
  options: GraphQLOptions<TOperation, unknown>,
): ResolvedGraphQLOptions<TOperation> {
  const carrier = options.carrier ?? 'extensions';
  if (!['extensions', 'header', 'both'].includes(carrier)) {
    throw new TypeError("Expected `carrier` to be 'extensions', 'header' or 'both'");
  }
  return {
    carrier,
    variable: options.variable ?? 'idempotencyKey',
    keyOf: callable('key', options.key ?? (() => undefined)),
    origin: options.origin ?? '',
    keepContext: options.keepContext ?? [],
  };
}
