import { IdempotencyError } from '@onceward/core';
import { intentAround } from '../ambient/ambient-intent.ts';
import { isEnvelope } from './envelope.ts';
import { IncomingKeys, type RawInputReader } from './incoming-keys.ts';

/** What a guard looks at before it does anything. */
export interface CheckedCall {
  readonly type: string;
  readonly path: string;
  readonly getRawInput: RawInputReader;
  readonly ctx: object & { readonly idempotency?: unknown };
}

/** Names the mistake in the application's code, where carrying on would run unprotected. */
export function refuseMisuse({ type, path, ctx, getRawInput }: CheckedCall, input: unknown): void {
  if (type !== 'mutation') {
    throw new TypeError(`\`${path}\` is a ${type}, and a guard is for mutations only`);
  }
  if (ctx.idempotency === undefined && !intentAround()) {
    throw new TypeError(
      'The context has no `idempotency`: add `idempotency: incomingKeys(options)` to createContext',
    );
  }
  if (isEnvelope(input)) {
    if (IncomingKeys.is(ctx.idempotency) && ctx.idempotency.unwrapped(getRawInput)) {
      throw new IdempotencyError('IDEMPOTENCY_KEY_INVALID', { problem: 'malformed' });
    }
    throw new TypeError(
      `The key of \`${path}\` came inside its input, and nothing took it out: start the procedure ` +
        'from `t.procedure.use(once.unwrap)`, before `.input()`',
    );
  }
}
