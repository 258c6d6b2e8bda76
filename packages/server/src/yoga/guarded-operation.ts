import { IdempotencyError } from '@onceward/core';
import type { ExecutionArgs, ExecutionResult } from 'graphql';
import { HandlerContext } from '../attempts/attempt-context.ts';
import type { Answer } from '../graphql/answer.ts';
import {
  answeredResult,
  type HttpAnswers,
  refusalError,
  refusedResult,
} from '../graphql/answered-result.ts';
import { lendAttempt } from '../graphql/attempt-in-context.ts';
import type { Execution } from '../graphql/execution.ts';
import { collected } from '../graphql/incremental.ts';
import { outerError } from '../graphql/inner-refusal.ts';
import type { MutationCall } from '../graphql/mutation-call.ts';

/** How Yoga executes, whichever plugins are around it. */
export type Executor = (
  args: ExecutionArgs,
) => Promise<ExecutionResult | AsyncIterable<ExecutionResult>>;

/**
 * A marked mutation on its way through Yoga.
 *
 *   execute()  reserve, then replay, refuse or execute
 *      │
 *      ▼       other plugins: masking, caches, logs ──▶ abandon(), when one of them throws
 *   finish()   store what they made of it, then answer
 *
 * A plugin that never comes back is waited for until the time is up.
 */
export class GuardedOperation {
  readonly #call: MutationCall;
  readonly #http: HttpAnswers | undefined;
  /** Executed, and waiting for what plugins make of the result. */
  #unfinished: { readonly execution: Execution; readonly raw: ExecutionResult } | undefined;
  #answer: ExecutionResult | undefined;
  /** How it ended, when its time was up before all plugins had come back. */
  #gaveUp: Promise<Answer> | undefined;

  constructor(call: MutationCall, http: HttpAnswers | undefined) {
    this.#call = call;
    this.#http = http;
  }

  /** The result before masking, or the answer if nothing was executed. */
  async execute(execute: Executor, args: ExecutionArgs): Promise<ExecutionResult> {
    try {
      const begun = await this.#call.begin();
      if (begun.kind === 'answered') return this.#answered(begun.answer);
      const { execution } = begun;
      this.#giveUpInTime(execution);
      try {
        const raw = await run(execution, execute, args);
        this.#unfinished = { execution, raw };
        return raw;
      } catch (error) {
        return this.#answered(await execution.fail(error));
      }
    } catch (error) {
      return this.#refused(error);
    }
  }

  /**
   * Says what the client gets. Resolves when it is stored, so that no client knows more than we do.
   * The answer goes to `setResult` and not by the promise: that is one turn less for each request.
   */
  async finish(
    masked: ExecutionResult | AsyncIterable<ExecutionResult>,
    setResult: (result: ExecutionResult) => void,
  ): Promise<void> {
    try {
      // As it was stored, whatever plugins made of it this time.
      if (this.#answer) return setResult(this.#answer);
      const whole = collected(masked);
      const answer = whole instanceof Promise ? await whole : whole;
      const unfinished = this.#take();
      if (this.#gaveUp) return setResult(this.#answered(await this.#gaveUp));
      if (!unfinished) return setResult(answer);
      const { execution, raw } = unfinished;
      setResult(this.#answered(await execution.finish({ raw, answer })));
    } catch (error) {
      setResult(this.#refused(error));
    }
  }

  /** Ends what no hook will finish any more. Throws the error, or the refusal that follows. */
  async abandon(error: unknown): Promise<never> {
    try {
      await this.#take()?.execution.fail(error);
    } catch (refusal) {
      if (IdempotencyError.is(refusal)) throw refusalError(refusal, this.#http);
    }
    throw outerError(error);
  }

  /**
   * Should another plugin never come back, there is nothing to wait for once the time is up. While
   * it is executed, there is: what comes of it late is known all the same.
   */
  #giveUpInTime({ attempt }: Execution): void {
    HandlerContext.whenStopped(attempt, (reason) => {
      this.#gaveUp = this.#take()?.execution.fail(reason);
      // Should a plugin come back after all, it gets this.
      this.#gaveUp?.catch(() => undefined);
    });
  }

  #take() {
    const unfinished = this.#unfinished;
    this.#unfinished = undefined;
    return unfinished;
  }

  #answered(answer: Answer): ExecutionResult {
    return (this.#answer = this.#call.key
      ? answeredResult(answer, this.#http)
      : answer.kept.result);
  }

  #refused(error: unknown): ExecutionResult {
    if (!IdempotencyError.is(error)) throw error;
    return (this.#answer = refusedResult(error, this.#http));
  }
}

async function run(
  execution: Execution,
  execute: Executor,
  args: ExecutionArgs,
): Promise<ExecutionResult> {
  const lent = lendAttempt(args.contextValue, execution.attempt);
  try {
    const result = collected(await execution.within(() => execute(unstoppable(args, lent.value))));
    return result instanceof Promise ? await result : result;
  } finally {
    lent[Symbol.dispose]();
  }
}

/**
 * A client that leaves must not stop half-way what its next attempt will ask for. Nor must the end
 * of our time: the executor would return while a resolver still runs, and the key be free.
 */
function unstoppable(args: StoppableArgs, contextValue: object): ExecutionArgs {
  if (args.signal === undefined && args.contextValue === contextValue) return args;
  return { ...args, contextValue, signal: undefined } as ExecutionArgs;
}

type StoppableArgs = ExecutionArgs & { readonly signal?: AbortSignal };
