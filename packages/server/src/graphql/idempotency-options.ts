import type { KeyHeaderSyntax } from '@onceward/core';
import type { GraphQLError } from 'graphql';
import type { Effect, ErrorClass } from '../effect.ts';
import type { EffectOn } from '../engine.ts';
import type { EngineOptions } from '../options/engine-options.ts';
import type { MutationOptions } from '../options/mutation-options.ts';

/** What every GraphQL server of this kit is told, whichever library runs it. */
export interface IdempotencyOptions<Context, Transaction> extends EngineOptions<Transaction> {
  /**
   * Who calls: the id of the tenant or user, from authentication, never from the input. Keys and
   * answers of one scope are invisible to all others.
   */
  scope: (context: Context, call: ScopeCall) => string | readonly string[];
  /** The effect of marked fields that name none. @defaultValue none: such a field is refused */
  effect?: EffectOn<Transaction>;
  /** What the directive has no words for, by the name of the marked field. It wins over the mark. */
  fields?: Readonly<Record<string, FieldOptions<EffectOn<Transaction>>>>;
  /** `all`: refuse a schema that has a mutation without a mark. */
  require?: 'all';
  /** Names of mutation fields that may be without one, such as signing out. */
  except?: readonly string[];
  /**
   * Decides what an error of a mutation means; `undefined` leaves it to the default: a
   * `GraphQLError` that was thrown on purpose is stored and replayed, all others follow the effect.
   *
   * It sees errors before they are masked. What was not thrown as a `GraphQLError` is the
   * `originalError` of one.
   */
  classifyError?: (error: GraphQLError) => ErrorClass | undefined;
  /** `strict` refuses an `Idempotency-Key` without quotes. @defaultValue `'lenient'` */
  keyHeader?: KeyHeaderSyntax;
}

/** The call that a scope is asked for. */
export interface ScopeCall {
  /** The mutation field, such as `pay`. */
  readonly field: string;
}

/** What may be said about one mutation field besides its mark. */
export interface FieldOptions<DeclaredEffect extends Effect = Effect> extends Partial<
  Omit<
    MutationOptions<DeclaredEffect>,
    'operation' | 'codec' | 'key' | 'classifyError' | 'select' | 'answerVersion' | 'decoders'
  >
> {
  /** `false`: without a key the mutation is executed unprotected. @defaultValue `true` */
  required?: boolean;
  /** Comes before the `classifyError` of all fields. */
  classifyError?: (error: GraphQLError) => ErrorClass | undefined;
  /** The variables that make two requests the same. @defaultValue all that are declared */
  select?: (variables: Readonly<Record<string, unknown>>) => unknown;
}
