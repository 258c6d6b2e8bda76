import type { AnyTRPCMiddlewareFunction, TRPCMiddlewareFunction } from '@trpc/server';
import { declareUnwrap } from './declaration.ts';
import { isEnvelope } from './envelope.ts';
import { incomingKeys, IncomingKeys } from './incoming-keys.ts';
import { numberCall } from './nested-key.ts';

/**
 * A middleware that sees a call before any other does: it takes the key out of an input, so that
 * nothing after it sees the envelope, and numbers the calls inside a guarded mutation.
 */
export type Unwrap = (options: {
  readonly ctx: { readonly idempotency: IncomingKeys };
  readonly type: string;
  readonly path: string;
  readonly getRawInput: () => Promise<unknown>;
  readonly next: Next;
}) => ReturnType<
  TRPCMiddlewareFunction<unknown, unknown, unknown, { idempotency: IncomingKeys }, unknown>
>;

/** Both at once is not among tRPC's overloads, but what it does with either, it does with both. */
type Next = (options?: {
  ctx: { idempotency: IncomingKeys };
  getRawInput: () => Promise<unknown>;
}) => ReturnType<AnyTRPCMiddlewareFunction>;

/**
 * Belongs into the procedure that all others are made of, first: `t.procedure.use(once.unwrap)`.
 * After `.input()` it comes too late, for the parser has then seen the envelope.
 */
export const unwrap: Unwrap = /* @__PURE__ */ declareUnwrap<Unwrap>(
  async ({ ctx, type, path, getRawInput, next }) => {
    if (type !== 'mutation') return next();
    numberCall(getRawInput, path);
    // What cannot be read is no envelope; whoever needs the input says what is wrong with it.
    const input = await getRawInput().catch(() => undefined);
    if (!isEnvelope(input)) return next();
    // A call on the server inside a guarded mutation has the `ctx.idempotency` of that one.
    const keys = IncomingKeys.is(ctx.idempotency) ? ctx.idempotency : incomingKeys();
    const inner = async () => input.input;
    const idempotency = keys.withEnvelope({
      key: input.$idempotency,
      outer: getRawInput,
      inner,
    });
    return next({ ctx: { idempotency }, getRawInput: inner });
  },
);
