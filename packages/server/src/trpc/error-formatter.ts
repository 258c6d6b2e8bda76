import type { WireError } from '@onceward/core';
import type { TRPCDefaultErrorShape, TRPCErrorFormatter } from '@trpc/server';
import { answeredShape } from './answered-error.ts';
import { refusalOf } from './trpc-error.ts';

/** The shape of an application's errors, and why a mutation was refused. */
export type IdempotencyErrorShape<Shape extends TRPCDefaultErrorShape> = Omit<Shape, 'data'> &
  TRPCDefaultErrorShape & {
    data: Shape['data'] & {
      /** `null` for the application's own errors. */
      idempotency: WireError | null;
    };
  };

/**
 * Wraps the error formatter of an application, or tRPC's own.
 *
 * Adds `data.idempotency`, typed on the client, and gives a replayed error the very shape that its
 * first answer had: whatever the formatter reads may have changed since.
 *
 * @example
 * ```ts
 * const t = initTRPC.context<Context>().create({ errorFormatter: idempotencyErrorFormatter() });
 * ```
 */
export function idempotencyErrorFormatter<
  Shape extends TRPCDefaultErrorShape = TRPCDefaultErrorShape,
>(
  // Any context: what the wrapper returns must fit whichever root it is used for.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  own?: TRPCErrorFormatter<any, Shape>,
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
): TRPCErrorFormatter<any, IdempotencyErrorShape<Shape>> {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const format: TRPCErrorFormatter<any, IdempotencyErrorShape<Shape>> = (options) => {
    const answered = answeredShape(options.error);
    if (answered) return answered as IdempotencyErrorShape<Shape>;
    const shape = own ? own(options) : options.shape;
    const refusal = refusalOf(options.error, [options.path]);
    const data = { ...shape.data, idempotency: refusal?.toJSON() ?? null };
    if (refusal) {
      // tRPC takes the status of the response from here.
      data.httpStatus = refusal.httpStatus;
      // Where we refused is of no use to anybody; why, is in the message.
      delete data.stack;
    }
    return { ...shape, data } as IdempotencyErrorShape<Shape>;
  };
  Object.defineProperty(format, brand, { value: true });
  return format;
}

/** Tells a root that was made without the wrapper, whose clients could not read a refusal. */
export function isIdempotencyErrorFormatter(formatter: object): boolean {
  return brand in formatter;
}

const brand = Symbol.for('@onceward/server/trpc.errorFormatter');
