import type { Operation, TRPCLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { callable } from '../check-option.ts';
import type { DeliveryOptions } from '../delivery-options.ts';

/** How an `idempotencyLink` sends mutations. Every option has a default that is safe to keep. */
export interface IdempotencyLinkOptions extends Omit<DeliveryOptions, 'describeFailure'> {
  /**
   * How a key travels.
   *
   * - `header`: with HTTP, by `idempotencyHeaders()` of the link below.
   * - `input`: around the input, for `wsLink` and `localLink`, which carry nothing else. The base
   *   procedure of the server must unwrap it.
   *
   * @defaultValue `'header'`
   */
  transport?: 'header' | 'input' | undefined;
  /**
   * Chooses the key of an operation, from its input for example, so that it survives a reload.
   * `null` for no key: such a mutation is sent once. `undefined` for the default.
   *
   * @defaultValue derived from the current intent inside a handler of `@onceward/server`; minted
   * anywhere else
   */
  key?: ((op: Operation) => string | null | undefined) | undefined;
  /**
   * Keeps mutations on the device until they settle: one that `createJournal` of this entry has
   * made. How often and how long they are sent is then the journal's business.
   */
  journal?: LinkJournal | undefined;
  /** Where operations go, for `onEvent`: a link has one retry budget. @defaultValue `''` */
  origin?: string | undefined;
}

/**
 * What a journal does for an `idempotencyLink`. It comes with the journal, so that a page without
 * one does not load it.
 */
export interface LinkJournal {
  trpcLink(options: IdempotencyLinkOptions): TRPCLink<AnyTRPCRouter>;
}

/** `IdempotencyLinkOptions` after `resolveLinkOptions`, without those of the delivery. */
export interface ResolvedLinkOptions {
  readonly transport: 'header' | 'input';
  readonly keyOf: (op: Operation) => string | null | undefined;
  readonly origin: string;
}

export function resolveLinkOptions(options: IdempotencyLinkOptions): ResolvedLinkOptions {
  const transport = options.transport ?? 'header';
  if (transport !== 'header' && transport !== 'input') {
    throw new TypeError("Expected `transport` to be 'header' or 'input'");
  }
  return {
    transport,
    keyOf: callable('key', options.key ?? (() => undefined)),
    origin: options.origin ?? '',
  };
}
