import type { DeliveryTools } from '../course.ts';
import { type ResolvedIntent, resolveIntent } from '../intent.ts';
import { copyInput } from '../copy-input.ts';
import { checkedKey } from './checked-key.ts';
import { declaresVariable, operationNameOf, type ParsedDocument } from './document.ts';
import type { ResolvedGraphQLOptions } from './graphql-options.ts';

/** A mutation as a client library hands it over. */
export interface GivenMutation<TOperation> {
  readonly operation: TOperation;
  readonly document: ParsedDocument;
  readonly variables: Variables | undefined;
  /** What the caller chose in the context of the call; `undefined` for no opinion. */
  readonly key: string | null | undefined;
  readonly signal: AbortSignal;
}

export type Variables = Record<string, unknown>;

/** What every attempt for a mutation sends. */
export interface OpenedMutation {
  readonly intent: ResolvedIntent;
  readonly variables: Variables;
  /** The variable that takes the key, if the mutation declares it. */
  readonly keyVariable: string | undefined;
}

/** Chooses the key of a mutation, once, and keeps its variables as they are now. */
export function openMutation<TOperation>(
  given: GivenMutation<TOperation>,
  { variable, keyOf, origin }: ResolvedGraphQLOptions<TOperation>,
  tools: DeliveryTools,
): OpenedMutation {
  const { document, signal } = given;
  const variables = copyInput(given.variables ?? {}) as Variables;
  const declared = declaresVariable(document, variable);
  const inVariables = declared ? (variables[variable] as string | null | undefined) : undefined;

  // `null` in the context is a wish for no key; in the variables it is one that was left out.
  const chosen = given.key === undefined ? (inVariables ?? keyOf(given.operation)) : given.key;
  const operation = operationNameOf(document);
  const intent = resolveIntent({ operation, key: checkedKey(chosen), origin, signal }, tools);
  // Every place must say the same: a server refuses a request that contradicts itself.
  if (declared && intent.key) variables[variable] = intent.key;
  return { intent, variables, keyVariable: declared ? variable : undefined };
}
