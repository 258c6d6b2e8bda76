import { currentIntent } from '@onceward/core';
import { isEnvelope } from './envelope.ts';

/** What a guard looks at before it does anything. */
export interface CheckedCall {
  readonly type: string;
  readonly path: string;
  readonly ctx: object & { readonly idempotency?: unknown };
}

/** Names the mistake in the application's code, where carrying on would run unprotected. */
export function refuseMisuse({ type, path, ctx }: CheckedCall, input: unknown): void {
  if (type !== 'mutation') {
    throw new TypeError(`\`${path}\` is a ${type}, and a guard is for mutations only`);
  }
  if (ctx.idempotency === undefined && !currentIntent()) {
    throw new TypeError(
      'The context has no `idempotency`: add `idempotency: incomingKeys(options)` to createContext',
    );
  }
  if (isEnvelope(input)) {
    throw new TypeError(
      `The key of \`${path}\` came inside its input, and nothing took it out: start the procedure ` +
        'from `t.procedure.use(once.unwrap)`, before `.input()`',
    );
  }
}
