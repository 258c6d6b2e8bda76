import type { ErrorCode, errorCodes, WireError } from '@onceward/core';
import type { Failure } from '../failure.ts';
import { answerHeaders, type ResponseHead } from '../http-status-error.ts';

/** What of an execution result is read. From the wire, so nothing in it can be relied on. */
export interface GraphQLResult {
  readonly data?: unknown;
  readonly errors?: unknown;
  readonly extensions?: unknown;
}

/**
 * Puts an execution result into words; `undefined` when it is a success.
 *
 *   a code of the table that refuses it      ──▶ idempotency
 *   errors, no `data`, and a status for it   ──▶ http: it was not executed, or a gateway says so
 *   errors                                   ──▶ answered
 *   neither errors nor `data`                ──▶ http, or no-answer with 200
 *
 * The status comes last because it is the least certain: a batch has one for all, sockets have
 * none, and servers answer 200 for whatever is well-formed.
 */
export function describeResult(
  result: GraphQLResult | null | undefined,
  response?: ResponseHead,
): Failure | undefined {
  const errors = Array.isArray(result?.errors) ? (result.errors as unknown[]) : [];
  const error = wireErrorIn(errors, result?.data);
  const headers = response ? answerHeaders(response) : {};
  if (error) return { kind: 'idempotency', error, headers };
  if (result?.data !== undefined) return errors.length > 0 ? { kind: 'answered' } : undefined;
  if (response && response.status >= 300) {
    return { kind: 'http', status: response.status, headers };
  }
  return { kind: errors.length > 0 ? 'answered' : 'no-answer' };
}

/** As `describeResult`, for the text of a response whose status a client library took offence at. */
export function describeBody(text: string, response: ResponseHead): Failure | undefined {
  return describeResult(parse(text), response);
}

/**
 * The code of the table with which a result refuses the operation, or a field of it.
 *
 * One that time can change comes first: as long as a field is still executing, the operation has
 * not settled, whatever the others were refused for.
 */
export function wireErrorIn(errors: readonly unknown[], data: unknown): WireError | undefined {
  const found = errors
    .filter((error) => isRefusal(error, data))
    .map(wireErrorOf)
    .filter((error) => error !== undefined);
  return found.find(({ retry }) => retry !== 'never') ?? found[0];
}

/**
 * Whether an error stands for the operation or for a whole root field.
 *
 * Any other beside `data` is part of the answer, whatever its code: the mutation has been executed,
 * and something that it called was refused. Sent again, it would get the same answer for ever.
 */
function isRefusal(error: unknown, data: unknown): boolean {
  const { path } = (error ?? {}) as { path?: unknown };
  if (data === undefined || !Array.isArray(path)) return true;
  const value = (data as Record<string, unknown> | null)?.[path[0] as string];
  return path.length < 2 && (value ?? null) === null;
}

function wireErrorOf(error: unknown): WireError | undefined {
  const { message, extensions } = (error ?? {}) as { message?: unknown; extensions?: Extensions };
  const { idempotency, code } = extensions ?? {};
  if (isWireError(idempotency)) return idempotency;
  // Some servers let only `code` through.
  if (!isCode(code)) return undefined;
  const retry = advice[code as keyof typeof advice] ?? 'never';
  return { code, message, retry, details: {} } as WireError;
}

/** Of core's table only what is not `never`; the types keep it equal. */
export const advice: {
  readonly [Code in ErrorCode as Advice<Code> extends 'never' ? never : Code]: Advice<Code>;
} = {
  IDEMPOTENCY_IN_PROGRESS: 'same-key',
  IDEMPOTENCY_OUTCOME_UNKNOWN: 'poll',
  IDEMPOTENCY_QUOTA_EXCEEDED: 'same-key',
  IDEMPOTENCY_STORE_UNAVAILABLE: 'same-key',
};

type Advice<Code extends ErrorCode> = (typeof errorCodes)[Code]['retry'];

interface Extensions {
  readonly code?: unknown;
  readonly idempotency?: unknown;
}

/** The advice is read as it is on the wire: a newer server may have codes we do not know. */
export function isWireError(value: unknown): value is WireError {
  const { code, details } = (value ?? {}) as Partial<WireError>;
  return isCode(code) && typeof details === 'object' && details !== null;
}

function isCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && value.startsWith('IDEMPOTENCY_');
}

function parse(text: string): GraphQLResult | undefined {
  try {
    return JSON.parse(text) as GraphQLResult;
  } catch {
    return undefined;
  }
}
