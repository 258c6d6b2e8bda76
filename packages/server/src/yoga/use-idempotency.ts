import { createIdempotency } from '../graphql/idempotency.ts';
import type { IdempotencyOptions } from '../graphql/idempotency-options.ts';
import type { KeySource } from '../graphql/incoming-key.ts';
import { oneOf } from '../options/check-option.ts';
import { lastPlugin } from './last-plugin.ts';

export interface UseIdempotencyOptions<Context, Transaction> extends IdempotencyOptions<
  Context,
  Transaction
> {
  /**
   * - `http`: a refusal has its own status, 409 or 422, for every client.
   * - `spec`: only for `application/graphql-response+json`. `application/json` gets 200, as the
   *   GraphQL-over-HTTP specification recommends; the code is in the body.
   *
   * @defaultValue `'http'`
   */
  status?: 'http' | 'spec';
  /**
   * What happens to `@defer` and `@stream` in a marked mutation: its parts are collected into one
   * answer, or it is refused before it is executed. @defaultValue `'collect'`
   */
  incremental?: 'collect' | 'refuse';
  /**
   * Where the key of an operation may be, besides `@idempotent(key:)` on its field. For Envelop
   * without Yoga. @defaultValue `context.params.extensions` and `context.request.headers`
   */
  request?: (context: Context) => KeySource;
}

/** A plugin, for Yoga as for Envelop. */
export interface IdempotencyPlugin {
  onPluginInit(event: { readonly plugins: object[] }): void;
}

/**
 * Executes marked mutations once per key, and replays their answers. Where it stands among the
 * plugins makes no difference: it reserves after all of them, so after every check of a right, and
 * stores what all of them made of the result, so only what is masked.
 *
 * @example
 * ```ts
 * createYoga({
 *   schema,
 *   plugins: [
 *     useAuth(),
 *     useIdempotency({ store: postgresStore(pool), scope: (context: Context) => context.user.id }),
 *   ],
 * });
 * ```
 */
export function useIdempotency<Context extends object = object, Transaction = never>({
  status = 'http',
  incremental = 'collect',
  request,
  ...options
}: UseIdempotencyOptions<Context, Transaction>): IdempotencyPlugin {
  const resolved = {
    idempotency: createIdempotency(options),
    spec: oneOf('status', status, ['http', 'spec']) === 'spec',
    refuseParts: oneOf('incremental', incremental, ['collect', 'refuse']) === 'refuse',
    request,
  };
  const made = new WeakSet();
  return {
    onPluginInit({ plugins }) {
      // That of an inner Envelop, whose plugins were added to these: it would not be the last.
      const inner = plugins.findIndex((plugin) => made.has(plugin));
      if (inner !== -1) plugins.splice(inner, 1);
      // Yoga adds its own plugins after those of the user, the one that masks errors among them.
      // What is added while the list is walked comes after all of them.
      const last = lastPlugin({ ...resolved, plugins });
      made.add(last);
      plugins.push(last);
    },
  };
}
