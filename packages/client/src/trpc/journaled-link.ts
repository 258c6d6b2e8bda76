import type { TRPCLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import type { Attempt } from '../attempt.ts';
import { openTools } from '../delivery.ts';
import { deliver } from '../deliver.ts';
import type { Channel } from '../journal/channel.ts';
import type { Journal } from '../journal/journal.ts';
import { refuseFiles } from '../refuse-files.ts';
import { isResuming } from '../resuming.ts';
import { attemptOf } from './attempt-slot.ts';
import { clientErrorFor } from './client-error.ts';
import { describeTrpcFailure } from './describe-trpc-failure.ts';
import type { JournalEntry } from './journal-entry.ts';
import { type IdempotencyLinkOptions, resolveLinkOptions } from './link-options.ts';
import { operationObservable } from './operation-observable.ts';
import { createPreparer } from './prepare-operation.ts';
import { sendOperation } from './send-operation.ts';
import { dataOf, trpcChannel } from './trpc-channel.ts';

/** An `idempotencyLink` that leaves the delivery of mutations to a journal. */
export function journaledLink(
  journal: Journal,
  options: IdempotencyLinkOptions,
): TRPCLink<AnyTRPCRouter> {
  const resolved = resolveLinkOptions(options);
  const tools = openTools({
    ...options,
    newKey: options.newKey ?? (() => journal.mintKey()),
    describeFailure: describeTrpcFailure,
  });
  const { transport } = resolved;

  return () => {
    const prepare = createPreparer(tools, resolved);
    let channel: Channel | undefined;
    return ({ op: given, next }) => {
      // With the first operation there is a way to send, also for what an earlier page has left.
      channel ??= trpcChannel((op, attempt) => sendOperation(op, attempt, { transport, next }));
      journal.connect('trpc', channel);
      if (isResuming(given.context)) {
        return operationObservable(given, async () => ({ result: { type: 'data' } }));
      }
      if (given.type !== 'mutation' || attemptOf(given)) return next(given);

      return operationObservable(given, async (signal) => {
        try {
          const { intent, op, forget } = prepare(given, signal);
          const { key } = intent;
          const send = (attempt: Attempt) => sendOperation(op, attempt, { transport, next });
          if (!key) return await deliver(intent, send, tools);
          refuseFiles(op.input, 'input');
          const { journal: entry } = op.context as { journal?: JournalEntry };
          const data = await journal.deliver(
            { ...entry, channel: 'trpc', operation: op.path, input: op.input, key },
            async (attempt) => dataOf(await send(attempt)),
            signal,
          );
          forget();
          return { result: { type: 'data', data } };
        } catch (error) {
          throw clientErrorFor(error);
        }
      });
    };
  };
}
