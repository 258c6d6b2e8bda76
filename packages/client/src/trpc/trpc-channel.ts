import { type Operation, TRPCClientError } from '@trpc/client';
import type { TRPCErrorShape } from '@trpc/server';
import type { Attempt } from '../attempt.ts';
import type { Channel } from '../journal/channel.ts';
import type { AnyClientError } from './client-error.ts';
import { describeTrpcFailure } from './describe-trpc-failure.ts';

/** How the records of tRPC mutations are sent, also those of an earlier page. */
export function trpcChannel(send: (op: Operation, attempt: Attempt) => Promise<unknown>): Channel {
  return {
    async send(input, attempt, { seq: id, operation: path }) {
      const op = { id, type: 'mutation', path, input, context: {}, signal: null } as const;
      return dataOf(await send(op, attempt));
    },
    describeFailure: describeTrpcFailure,
    preserve: ({ message, shape }: AnyClientError) => ({ message, shape: shape as unknown }),
    revive({ message, shape }: { message: string; shape?: TRPCErrorShape }) {
      return new TRPCClientError(message, shape && { result: { error: shape } });
    },
  };
}

/** Of what links give each other, what a procedure has returned. */
export function dataOf(envelope: unknown): unknown {
  return (envelope as { result: { data?: unknown } }).result.data;
}
