import type { getTRPCErrorShape } from '@trpc/server';
import { isIdempotencyErrorFormatter } from './error-formatter.ts';

/** What `initTRPC.create()` returns, as far as it is read. */
export interface TrpcRoot {
  readonly _config: TrpcConfig;
}

/** The settings of a root. */
export type TrpcConfig = Parameters<typeof getTRPCErrorShape>[0]['config'];

/** The context that procedures of a root start with. */
export type ContextOf<Root extends TrpcRoot> = Root['_config']['$types']['ctx'];

/**
 * Refuses a root whose errors or answers could not be replayed, when the server starts rather than
 * when a client first retries.
 */
export function checkRoot(root: TrpcRoot): TrpcConfig {
  const config = (root as Partial<TrpcRoot> | undefined)?._config;
  if (!config) throw new TypeError('Expected `t` to be what initTRPC.create() returns');
  if (!isIdempotencyErrorFormatter(config.errorFormatter)) {
    throw new TypeError(
      'Expected `t` to be created with `errorFormatter: idempotencyErrorFormatter()`: without ' +
        'it, clients cannot tell a refusal from a failure',
    );
  }
  const { input, output } = config.transformer;
  if (!holds(() => wireOf(sample, input) === wireOf(sample, input))) {
    throw new TypeError(
      'Expected `transformer.input.serialize` to work on the server too, and to write the same ' +
        'every time: inputs are compared as it writes them',
    );
  }
  if (!holds(() => wireOf(restored(sample, output), output) === wireOf(sample, output))) {
    throw new TypeError(
      'Expected `transformer.output.deserialize` to undo `serialize` on the server too: stored ' +
        'answers are read there',
    );
  }
  return config;
}

const sample = { answer: [1, 'two', null] };

type Transformer = TrpcConfig['transformer']['output'];

function wireOf(value: unknown, transformer: Transformer): string {
  return JSON.stringify(transformer.serialize(value));
}

function restored(value: unknown, transformer: Transformer): unknown {
  return transformer.deserialize(JSON.parse(wireOf(value, transformer)));
}

function holds(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}
