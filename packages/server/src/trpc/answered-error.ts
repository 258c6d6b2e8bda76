import { getTRPCErrorShape, TRPCError } from '@trpc/server';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import type { TrpcConfig } from './trpc-config.ts';

/** An error as it is answered: what it is called, and the shape that goes over the wire. */
export interface AnsweredError {
  readonly code: TRPCError['code'];
  readonly message: string;
  readonly shape: unknown;
}

/** What the error formatter is told about a call. */
export interface FormattedCall {
  readonly path: string;
  readonly input: unknown;
  readonly ctx: unknown;
}

/**
 * Fixes the shape of an error that will be stored, so that its first answer and all later ones
 * are the same bytes. Without the stack trace that tRPC adds in development: it stays out of the
 * store, and `onError` still has it.
 */
export function fixShape(error: TRPCError, call: FormattedCall, config: TrpcConfig): void {
  try {
    setShape(error, shapeFor(error, call, config));
  } catch {
    // A formatter that fails must not change what became of the mutation.
  }
}

/** The shape that was fixed for an error, if any. */
export function answeredShape(error: object): unknown {
  return (error as { [fixedShape]?: unknown })[fixedShape];
}

/** What of an error is stored. */
export function describeAnswered(error: unknown, config: TrpcConfig): AnsweredError {
  const trpcError = asTrpcError(error);
  const shape = answeredShape(trpcError) ?? shapeFor(trpcError, {}, config);
  return { code: trpcError.code, message: trpcError.message, shape };
}

/** The error of an earlier attempt, to be thrown again. */
export function replayedError({ code, message, shape }: AnsweredError): TRPCError {
  const error = new TRPCError({ code, message });
  setShape(error, shape);
  return error;
}

function shapeFor(error: TRPCError, call: Partial<FormattedCall>, config: TrpcConfig): unknown {
  const shape: unknown = getTRPCErrorShape({
    config: { ...config, isDev: false },
    error,
    type: 'mutation',
    path: call.path,
    input: call.input,
    ctx: call.ctx as object,
  });
  // Where `.errors()` of the procedure made the shape, tRPC has put the stack into it before.
  const { data } = Object(shape) as { data?: { stack?: unknown } };
  if (data) delete data.stack;
  return shape;
}

function asTrpcError(error: unknown): TRPCError {
  if (error instanceof TRPCError) return error;
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  return new TRPCError({
    code: isCode(code) ? code : 'INTERNAL_SERVER_ERROR',
    message: typeof message === 'string' ? message : 'The mutation failed',
  });
}

function isCode(code: unknown): code is TRPCError['code'] {
  return typeof code === 'string' && Object.hasOwn(TRPC_ERROR_CODES_BY_KEY, code);
}

function setShape(error: TRPCError, shape: unknown): void {
  Object.defineProperty(error, fixedShape, { value: shape, configurable: true });
}

/** Shared by two copies of this package: one may guard while the other formats. */
const fixedShape: unique symbol = Symbol.for('@onceward/server/trpc.shape') as never;
