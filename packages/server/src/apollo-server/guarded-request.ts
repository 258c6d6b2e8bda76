import type { Answer } from '../graphql/answer.ts';
import { HandlerContext } from '../attempts/attempt-context.ts';
import { IdempotencyError } from '@onceward/core';
import type { GraphQLRequestContext } from '@apollo/server';
import type { ExecutionResult, GraphQLError } from 'graphql';
import { lendAttempt } from '../graphql/attempt-in-context.ts';
import type { Execution } from '../graphql/execution.ts';
import type { MutationCall } from '../graphql/mutation-call.ts';
import { callsByStrangers, resolveWithin } from './resolve-within.ts';
import type { ResponseWriter } from './response.ts';
import { wholeBody } from './whole-body.ts';

/**
 * A marked mutation on its way through Apollo Server.
 *
 *   begin()    reserve, then replay or refuse, or let Apollo Server execute
 *      │
 *      ▼       execution, formatError ──▶ abandon(), when a plugin throws
 *   finish()   store the response, then let it go
 */
export class GuardedRequest {
  readonly #call: MutationCall;
  readonly #context: GraphQLRequestContext<object>;
  readonly #writer: ResponseWriter;
  #unfinished: { readonly execution: Execution; readonly lent: Disposable } | undefined;
  #execution: 'none' | 'started' | 'ended' = 'none';
  #resolving = false;
  #strangersBefore: number | undefined;
  /** Why Apollo Server gave up on an execution: its result is not what happened. */
  #thrown: { readonly error: Error } | undefined;
  /** How it ended, when its time was up before all plugins had come back. */
  #gaveUp: Promise<void> | undefined;
  readonly #laterErrors: GraphQLError[] = [];

  constructor(call: MutationCall, context: GraphQLRequestContext<object>, writer: ResponseWriter) {
    this.#call = call;
    this.#context = context;
    this.#writer = writer;
  }

  /** Whether Apollo Server is to execute. If not, the response is there. */
  async begin(): Promise<'execute' | 'answered'> {
    const begun = await this.#call.begin();
    if (begun.kind === 'answered') {
      this.#answer(begun.answer);
      return 'answered';
    }
    const { execution } = begun;
    const { contextValue } = this.#context;
    try {
      this.#unfinished = { execution, lent: lendAttempt(contextValue, execution.attempt) };
      resolveWithin({ execution, resolving: () => (this.#resolving = true) }, contextValue);
    } catch (error) {
      // A context that cannot be used. Nothing was executed, so the key is free.
      this.#unfinished = undefined;
      await execution.giveBack();
      throw error;
    }
    this.#strangersBefore = this.#callsByStrangers();
    this.#giveUpInTime(execution);
    return 'execute';
  }

  /** Rejects when the time was up before: the key may be somebody else's by now. */
  async executionStarted(): Promise<void> {
    if (this.#gaveUp) await this.#gaveUp;
    this.#execution = 'started';
  }

  executionEnded(error: Error | undefined): void {
    this.#execution = 'ended';
    if (error) this.#thrown ??= { error };
  }

  /** Errors of deferred parts, before they are formatted. */
  partFailed(errors: readonly GraphQLError[]): void {
    this.#laterErrors.push(...errors);
  }

  /** Stores the response that is about to be sent. No client knows more than we do. */
  async finish(): Promise<void> {
    if (!this.#unfinished && !this.#gaveUp) return;
    try {
      const body = await wholeBody(this.#context.response);
      // What throws on the body leaves the execution to be abandoned, so it is taken after that.
      this.#writer.hideInnerRefusals();
      const execution = this.#take();
      if (!execution) return await this.#gaveUp;
      if (this.#thrown) await this.#fail(execution, this.#thrown.error);
      else this.#answer(await execution.finish(this.#executed(body)));
    } catch (error) {
      if (!IdempotencyError.is(error)) throw error;
      this.#writer.refuse(error);
    }
  }

  /** Ends what no hook will finish any more. */
  async abandon(error: Error): Promise<void> {
    const execution = this.#take();
    if (execution) await this.#end(execution, error).catch(() => undefined);
  }

  /** Ends an execution without a result; its key is free if nothing was executed. */
  async #end(execution: Execution, error: Error): Promise<void> {
    if (this.#mayHaveRun()) await execution.fail(error);
    else await execution.giveBack();
    throw error;
  }

  /**
   * False only when it is certain that nothing ran. Either Apollo Server did not begin; or it did
   * not end, and the resolver of the mutation, whose calls we count, was called neither for this
   * request nor, meanwhile, with a context that we do not know.
   */
  #mayHaveRun(): boolean {
    if (this.#resolving || this.#execution === 'ended') return true;
    if (this.#execution === 'none') return false;
    const strangers = this.#callsByStrangers();
    return strangers === undefined || strangers !== this.#strangersBefore;
  }

  #callsByStrangers(): number | undefined {
    return callsByStrangers(this.#context.schema, this.#call.field.name);
  }

  #executed(body: ExecutionResult): { raw: ExecutionResult; answer: ExecutionResult } {
    const errors = [...(this.#context.errors ?? []), ...this.#laterErrors];
    return {
      raw: { ...body, ...(errors.length > 0 ? { errors } : {}) },
      answer: this.#writer.withStatus(body),
    };
  }

  /** The response stays what Apollo Server made of the error, unless there is more to say. */
  async #fail(execution: Execution, error: Error): Promise<void> {
    try {
      await execution.fail(error);
    } catch (failure) {
      if (IdempotencyError.is(failure)) throw failure;
    }
  }

  #answer(answer: Answer): void {
    this.#writer.answer(answer, { keyed: this.#call.key !== undefined });
  }

  #take(): Execution | undefined {
    const unfinished = this.#unfinished;
    this.#unfinished = undefined;
    unfinished?.lent[Symbol.dispose]();
    return unfinished?.execution;
  }

  /**
   * Should another plugin never come back, there is nothing to wait for once the time is up. While
   * a resolver runs, there is: its key must not be free before it ended.
   */
  #giveUpInTime({ attempt }: Execution): void {
    HandlerContext.whenStopped(attempt, (reason) => {
      if (this.#execution === 'started') return;
      const execution = this.#take();
      this.#gaveUp = execution && this.#end(execution, reason);
      // Should the plugin come back after all, it gets this.
      this.#gaveUp?.catch(() => undefined);
    });
  }
}
