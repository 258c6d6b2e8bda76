import type { Operation } from '@trpc/client';
import type { Observable } from '@trpc/server/observable';
import type { Attempt } from '../attempt.ts';
import { withAttempt } from './attempt-slot.ts';
import { inEnvelope } from './input-envelope.ts';
import type { ResolvedLinkOptions } from './link-options.ts';
import { resultOf } from './result-of.ts';

/** The links below. */
export type NextLink<T> = (op: Operation) => Observable<T, unknown>;

/** Sends an operation down the links, once, with its key. */
export function sendOperation<T>(
  op: Operation,
  attempt: Attempt,
  { transport, next }: Pick<ResolvedLinkOptions, 'transport'> & { next: NextLink<T> },
): Promise<T> {
  const key = transport === 'input' ? attempt.takeKey() : undefined;
  const input = key ? inEnvelope(op.input, key) : op.input;
  const sent = withAttempt({ ...op, input, signal: attempt.signal }, attempt);
  return resultOf(next(sent), attempt.signal);
}
