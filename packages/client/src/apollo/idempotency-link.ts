import { ApolloLink, Observable } from '@apollo/client';
import type { Attempt } from '../attempt.ts';
import type { DeliveryTools } from '../course.ts';
import { deliver } from '../deliver.ts';
import { openTools } from '../delivery.ts';
import { DeliveryError } from '../delivery-error.ts';
import { abortError } from '../graphql/delivery-error-of.ts';
import { isMutation } from '../graphql/document.ts';
import {
  type GraphQLOptions,
  type ResolvedGraphQLOptions,
  resolveGraphQLOptions,
} from '../graphql/graphql-options.ts';
import { openMutation } from '../graphql/open-mutation.ts';
import type { JournalContext } from '../graphql/kept-mutation.ts';
import { answerOf } from './answer.ts';
import { attemptOperation, contextAfter, isAttempt } from './attempt-operation.ts';
import { describeApolloFailure } from './describe-apollo-failure.ts';
import type { JournaledLink, LinkJournal } from './journaled-link.ts';
import { sendOperation } from './send-operation.ts';

declare module '@apollo/client' {
  interface DefaultContext extends JournalContext {
    /**
     * For `IdempotencyLink`: the key of this mutation, one you have kept for example; `null` for
     * none, so that it is sent once.
     */
    idempotencyKey?: string | null | undefined;
  }
}

/** How an `IdempotencyLink` sends mutations. Every option has a default that is safe to keep. */
export type IdempotencyLinkOptions = GraphQLOptions<ApolloLink.Operation, LinkJournal>;

/**
 * Delivers every mutation under one key until it settles. Queries and subscriptions pass.
 *
 * Takes the place of `RetryLink`, which retries mutations without a key. One link per client: its
 * mutations share retry budgets.
 *
 * @example
 * ```ts
 * new ApolloClient({ cache, link: ApolloLink.from([new IdempotencyLink(), new HttpLink({ uri })]) });
 * ```
 */
export class IdempotencyLink extends ApolloLink {
  readonly #options: ResolvedGraphQLOptions<ApolloLink.Operation>;
  readonly #tools: DeliveryTools;
  readonly #journaled: JournaledLink | undefined;

  constructor(options: IdempotencyLinkOptions = {}) {
    super();
    this.#options = resolveGraphQLOptions(options);
    const { journal } = options;
    this.#journaled = journal?.apolloLink(this.#options);
    this.#tools = openTools({
      ...options,
      newKey: options.newKey ?? (journal && (() => journal.mintKey())),
      describeFailure: describeApolloFailure,
    });
  }

  override request(
    operation: ApolloLink.Operation,
    forward: ApolloLink.ForwardFunction,
  ): Observable<ApolloLink.Result> {
    // With the first operation there is a way to send, also for what an earlier page has left.
    const resumed = this.#journaled?.connect(operation, forward);
    if (resumed) return resumed;
    if (!isMutation(operation.query) || isAttempt(operation)) return forward(operation);
    return new Observable((observer) => {
      const controller = new AbortController();
      const { signal } =
        (operation.getContext() as { fetchOptions?: RequestInit }).fetchOptions ?? {};
      const abort = () => controller.abort(signal?.reason);
      signal?.addEventListener('abort', abort);
      if (signal?.aborted) abort();

      const settle = (results: readonly ApolloLink.Result[]) => {
        for (const result of results) observer.next(result);
        observer.complete();
      };
      this.#deliver(operation, forward, controller.signal).then(settle, (error: unknown) => {
        const answer = answerOf(error);
        if (answer) settle(answer.results);
        else observer.error(shown(error));
      });
      return () => {
        signal?.removeEventListener('abort', abort);
        controller.abort();
      };
    });
  }

  async #deliver(
    operation: ApolloLink.Operation,
    forward: ApolloLink.ForwardFunction,
    signal: AbortSignal,
  ): Promise<readonly ApolloLink.Result[]> {
    const { carrier } = this.#options;
    const { query: document, variables } = operation;
    const context = operation.getContext();
    const given = { operation, document, variables, key: context.idempotencyKey, signal };
    // Nothing is awaited before the key is chosen: derived keys count the calls of a handler.
    const opened = openMutation(given, this.#options, this.#tools);
    const { intent } = opened;
    const { key } = intent;
    // A link above may send the operation again, as `RetryLink` does: that is still the same intent.
    operation.setContext({ idempotencyKey: key });

    const parcel = { ...opened, operation, context, carrier };
    const send = async (attempt: Attempt) => {
      const attempted = attemptOperation(parcel, attempt);
      try {
        return await sendOperation(attempted, attempt, forward);
      } finally {
        if (!attempt.signal?.aborted) {
          operation.setContext({ ...contextAfter(attempted), idempotencyKey: key });
        }
      }
    };
    const journaled = key && this.#journaled;
    return journaled ? journaled.deliver(parcel, send, signal) : deliver(intent, send, this.#tools);
  }
}

function shown(error: unknown): unknown {
  return DeliveryError.is(error) && error.reason === 'aborted' ? abortError(error) : error;
}
