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
 * The error as it is answered, now and ever after, and stored. Its shape is fixed: what the
 * formatter reads may change, and the first answer and all later ones are the same bytes.
 *
 * A copy, for an application may throw one object for everybody, and what the formatter tells one
 * of them is not for the others. Its shape is without the stack trace that tRPC adds in
 * development: that stays out of the store, and `onError` finds it with the original, the cause.
 */
export function answeredCopy(error: TRPCError, call: FormattedCall, config: TrpcConfig): TRPCError {
  const { code, message } = error;
  const copy = new TRPCError({ code, message, cause: error });
  setShape(copy, shapeOrPlain(error, call, config));
  return copy;
}

/** The shape that an error was given, if any. */
export function answeredShape(error: object): unknown {
  return (error as { [fixedShape]?: unknown })[fixedShape];
}

/** What of an error is stored. */
export function describeAnswered(error: unknown, config: TrpcConfig): AnsweredError {
  const trpcError = asTrpcError(error);
  const { code, message } = trpcError;
  return { code, message, shape: answeredShape(trpcError) ?? shapeOrPlain(trpcError, {}, config) };
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

/** A formatter that fails must not change what became of the mutation. */
function shapeOrPlain(error: TRPCError, call: Partial<FormattedCall>, config: TrpcConfig): unknown {
  try {
    return shapeFor(error, call, config);
  } catch {
    // Without the message: to hide it may be what the formatter is for.
    return shapeFor(new TRPCError({ code: error.code }), call, {
      ...config,
      errorFormatter: plain,
    });
  }
}

const plain: TrpcConfig['errorFormatter'] = ({ shape }) => ({
  ...shape,
  data: { ...shape.data, idempotency: null },
});

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
