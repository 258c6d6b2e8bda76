import { callable } from '../check-option.ts';
import type { DeliveryOptions } from '../delivery-options.ts';
import type { Journal } from '../journal/journal.ts';

/** Where a request carries its key. */
export type KeyCarrier = 'extensions' | 'header' | 'both';

/** How a GraphQL client sends mutations. Every option has a default that is safe to keep. */
export interface GraphQLOptions<TOperation> extends Omit<DeliveryOptions, 'describeFailure'> {
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
   * Keeps every mutation that has a key on the device until it settles, and delivers it: a deadline
   * and a number of attempts are then the journal's business.
   */
  journal?: LinkJournal | undefined;
  /** Where operations go: those for one origin share a retry budget. @defaultValue `''` */
  origin?: string | undefined;
}

/** What of a journal a link uses: one that `createJournal` has made. */
export type LinkJournal = Pick<Journal, 'connect' | 'deliver' | 'mintKey'>;

/** `GraphQLOptions` after `resolveGraphQLOptions`, without those of the delivery. */
export interface ResolvedGraphQLOptions<TOperation> {
  readonly carrier: KeyCarrier;
  readonly variable: string;
  readonly keyOf: (operation: TOperation) => string | null | undefined;
  readonly origin: string;
  readonly journal: LinkJournal | undefined;
}

export function resolveGraphQLOptions<TOperation>(
  options: GraphQLOptions<TOperation>,
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
    journal: options.journal,
  };
}
