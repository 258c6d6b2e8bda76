import type { GraphQLError } from 'graphql';
import { type Effect, effectPolicies, type ErrorClass } from '../effect.ts';
import { FailedExecution } from './failed-execution.ts';
import { isInnerRefusal } from './inner-refusal.ts';

/** What decides about errors besides the error. */
export interface ErrorPolicy {
  readonly effect: Effect;
  readonly profile: 'ietf' | 'stripe';
  /** In the order they are asked. */
  readonly own: readonly ((error: GraphQLError) => ErrorClass | undefined)[];
}

/**
 * What the failure of a mutation means for its intent.
 *
 * A `GraphQLError` is an answer: somebody wrote `throw` to give it. All others may come from
 * anywhere, and follow the effect. Several errors are an answer only if each of them is.
 */
export function classifyFailure(failure: unknown, policy: ErrorPolicy): ErrorClass | undefined {
  if (!(failure instanceof FailedExecution)) return undefined;
  if (!failure.executed) return 'release';
  const classes = failure.errors.map((error) => classifyOne(error, policy));
  return weightiest.find((each) => classes.includes(each)) ?? policyClass(policy);
}

const weightiest: readonly ErrorClass[] = ['unknown', 'release', 'store'];

function classifyOne(error: GraphQLError, policy: ErrorPolicy): ErrorClass {
  for (const own of policy.own) {
    const declared = own(error);
    if (declared) return declared;
  }
  // The refusal of a call that it made is about the moment and not about the intent.
  if (isInnerRefusal(error)) return policyClass(policy);
  if (policy.profile === 'stripe') return 'store';
  return isAnswer(error) ? 'store' : policyClass(policy);
}

function policyClass({ effect }: ErrorPolicy): ErrorClass {
  return effectPolicies[effect].onError;
}

/** Thrown on purpose, and not about something that a later attempt may get past. */
function isAnswer(error: GraphQLError): boolean {
  const { code, unexpected, http } = error.extensions;
  const { status } = Object(http) as { status?: unknown };
  return (
    isOriginal(error) &&
    unexpected !== true &&
    !passing.has(code) &&
    !(typeof status === 'number' && (status >= 500 || passingStatus.has(status)))
  );
}

const passing: ReadonlySet<unknown> = new Set([
  ...['INTERNAL_SERVER_ERROR', 'UNAUTHENTICATED', 'UNAUTHORIZED'],
  ...['TOO_MANY_REQUESTS', 'RATE_LIMITED'],
]);

/** Sign in, timed out, too early, too many. */
const passingStatus: ReadonlySet<number> = new Set([401, 408, 425, 429]);

/** By name, as Envelop does: a second copy of graphql must not turn an answer into an accident. */
function isOriginal(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== 'GraphQLError') return false;
  const { originalError } = error as GraphQLError;
  return originalError === undefined || originalError === null || isOriginal(originalError);
}
