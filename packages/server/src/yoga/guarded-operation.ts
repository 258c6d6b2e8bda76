import { IdempotencyError } from '@onceward/core';
import type { Awaitable } from '@onceward/core/store';
import type { ExecutionArgs, ExecutionResult } from 'graphql';
import { HandlerContext } from '../attempts/attempt-context.ts';
import { called, isPromise } from '../is-promise.ts';
import type { Answer } from '../graphql/answer.ts';
import {
  answeredResult,
  type HttpAnswers,
  refusalError,
  refusedResult,
} from '../graphql/answered-result.ts';
import { type LentContext, lendAttempt } from '../graphql/attempt-in-context.ts';
import type { Execution } from '../graphql/execution.ts';
import { collected } from '../graphql/incremental.ts';
import { outerError } from '../graphql/inner-refusal.ts';
import type { Begun, MutationCall } from '../graphql/mutation-call.ts';
import { type AroundHooks, AwaitedByHooks, type HookedResult } from './awaited-by-hooks.ts';

/** How Yoga executes, whichever plugins are around it. */
export type Executor = (args: ExecutionArgs) => Awaitable<HookedResult>;

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
export class GuardedOperation implements AroundHooks {
  readonly #call: MutationCall;
  readonly #http: HttpAnswers | undefined;
  #execution: Execution | undefined;
  /** While it is executed, with all parts that come later. */
  #lent: LentContext | undefined;
  /** Executed, and waiting for what plugins make of the result. */
  #unfinished: { readonly execution: Execution; readonly raw: ExecutionResult } | undefined;
  #answer: ExecutionResult | undefined;
  /** How it ended, when its time was up before all plugins had come back. */
  #gaveUp: Promise<Answer> | undefined;

  constructor(call: MutationCall, http: HttpAnswers | undefined) {
    this.#call = call;
    this.#http = http;
  }

  execute(execute: Executor, args: ExecutionArgs): Promise<ExecutionResult> {
    return new AwaitedByHooks(this.#begin(execute, args), this);
  }

  /** In the same turn if the store has answered already. */
  #begin(execute: Executor, args: ExecutionArgs): Promise<HookedResult> {
    return Promise.resolve(
      called(() => {
        const begun = this.#call.begin();
        return isPromise(begun)
          ? begun.then((later) => this.#proceed(later, execute, args))
          : this.#proceed(begun, execute, args);
      }),
    );
  }

  #proceed(begun: Begun, execute: Executor, args: ExecutionArgs): Awaitable<HookedResult> {
    if (begun.kind === 'answered') return this.#answered(begun.answer);
    const { execution } = begun;
    try {
      this.#lent = lendAttempt(args.contextValue, execution.attempt);
    } catch (error) {
      return this.#giveBack(execution, error);
    }
    this.#execution = execution;
    this.#giveUpInTime(execution);
    const executed = unstoppable(args, this.#lent.value);
    return execution.within(() => execute(executed));
  }

  /** Nothing was executed, so the key is free again. */
  async #giveBack(execution: Execution, error: unknown): Promise<never> {
    await execution.giveBack();
    throw error;
  }

  /** Shows plugins the result before masking, or the answer if nothing was executed. */
  executed(result: HookedResult): Awaitable<HookedResult> {
    const execution = this.#execution;
    if (!execution) return result;
    try {
      const raw = collected(result);
      return isPromise(raw)
        ? raw.then(
            (whole) => this.#awaitHooks(execution, whole),
            (error: unknown) => this.#fail(execution, error),
          )
        : this.#awaitHooks(execution, raw);
    } catch (error) {
      return this.#fail(execution, error);
    }
  }

  async failed(error: unknown): Promise<HookedResult> {
    return await (this.#execution ? this.#fail(this.#execution, error) : this.#refused(error));
  }

  #awaitHooks(execution: Execution, raw: ExecutionResult): ExecutionResult {
    this.#lent?.[Symbol.dispose]();
    this.#unfinished = { execution, raw };
    return raw;
  }

  async #fail(execution: Execution, error: unknown): Promise<ExecutionResult> {
    this.#lent?.[Symbol.dispose]();
    try {
      return this.#answered(await execution.fail(error));
    } catch (refusal) {
      return await this.#refused(refusal);
    }
  }

  /** Says what the client gets, once it is stored, so that no client knows more than we do. */
  finish(masked: HookedResult): Awaitable<ExecutionResult> {
    // As it was stored, whatever plugins made of it this time.
    if (this.#answer) return this.#answer;
    try {
      const whole = collected(masked);
      const finished = isPromise(whole)
        ? whole.then((answer) => this.#finish(answer))
        : this.#finish(whole);
      if (!isPromise(finished)) return finished;
      return finished.catch((error: unknown) => this.#notFinished(error));
    } catch (error) {
      return this.#notFinished(error);
    }
  }

  /** Refused, or it is no result that hooks have made, which is as if one of them had thrown. */
  #notFinished(error: unknown): Promise<ExecutionResult> {
    return IdempotencyError.is(error) ? this.#refused(error) : this.abandon(error);
  }

  #finish(answer: ExecutionResult): Awaitable<ExecutionResult> {
    const unfinished = this.#take();
    if (this.#gaveUp) return this.#gaveUp.then((given) => this.#answered(given));
    if (!unfinished) return answer;
    const { execution, raw } = unfinished;
    const stored = execution.finish({ raw, answer });
    return isPromise(stored)
      ? stored.then((given) => this.#answered(given))
      : this.#answered(stored);
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

  async #refused(error: unknown): Promise<ExecutionResult> {
    if (!IdempotencyError.is(error)) throw error;
    return (this.#answer = refusedResult(error, this.#http));
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
