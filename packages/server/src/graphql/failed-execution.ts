import type { ExecutionResult, GraphQLError } from 'graphql';

/** What a failed execution is made of. */
export interface FailureParts {
  /** What the client gets. */
  readonly answer: ExecutionResult;
  /** Why, as it was before masking. Unknown for the failure of an earlier attempt. */
  readonly errors?: readonly GraphQLError[];
  /** False when no resolver was called, as when a variable does not fit its type. */
  readonly executed?: boolean;
}

/** Thrown to the engine by an execution that failed. Says nothing itself: the answer does. */
export class FailedExecution extends Error {
  override readonly name = 'FailedExecution';
  readonly answer: ExecutionResult;
  readonly errors: readonly GraphQLError[];
  readonly executed: boolean;

  constructor({ answer, errors = [], executed = true }: FailureParts) {
    super('The mutation failed');
    this.answer = answer;
    this.errors = errors;
    this.executed = executed;
  }
}

/** A result before masking, and what the client gets of it. */
export interface Executed {
  /** Its errors are the ones that were thrown, so it tells what happened. */
  readonly raw: ExecutionResult;
  /** What is answered and stored. @defaultValue `raw` */
  readonly answer?: ExecutionResult;
}

/**
 * Whether a mutation failed, and why.
 *
 * It did when its own field is null because of an error, whether its resolver threw or something
 * below it did that may not be null: the client sees no payment then, so there must be none. An
 * error further down, beside data, is part of an answer: the payment is there, and shown.
 */
export function failureOf(
  { raw, answer = raw }: Executed,
  responseName: string,
): FailedExecution | undefined {
  const errors = raw.errors ?? [];
  if (!('data' in raw) || raw.data === undefined) {
    return new FailedExecution({ answer, errors, executed: !isCoercionFailure(errors) });
  }
  if (raw.data === null) return new FailedExecution({ answer, errors });
  const own = errors.filter(({ path }) => !path || path[0] === responseName);
  const isNull = raw.data[responseName] === undefined || raw.data[responseName] === null;
  return isNull && own.length > 0 ? new FailedExecution({ answer, errors: own }) : undefined;
}

/**
 * A variable did not fit its type, which is found out before anything runs. A result without data
 * is no such proof by itself: a gateway whose connection broke returns one, and so does a plugin
 * that shows no data beside errors.
 */
function isCoercionFailure(errors: readonly GraphQLError[]): boolean {
  const isOne = ({ nodes }: GraphQLError) =>
    nodes !== undefined && nodes.length > 0 && nodes.every(isVariable);
  return errors.length > 0 && errors.every(isOne);
}

function isVariable({ kind }: { readonly kind: string }): boolean {
  return kind === 'VariableDefinition';
}
