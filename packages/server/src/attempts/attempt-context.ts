import type { IdempotencyKey } from '@onceward/core';
import type { Effect } from '../effect.ts';
import type { Step } from '../steps/step-runner.ts';
import type { StopSignal } from './stop-signal.ts';

/** What a handler gets. Which parts it has follows from the effect that was declared. */
export type AttemptContext<DeclaredEffect extends Effect, Transaction> = BaseContext &
  (DeclaredEffect extends 'atomic' ? { readonly tx: Transaction } : unknown) &
  (DeclaredEffect extends 'steps' ? { readonly step: Step<Transaction> } : unknown);

/** As a class for its getter: TypeScript then knows that a copy, `{ ...context }`, has no signal. */
declare abstract class BaseContext {
  readonly key: IdempotencyKey;
  /** 1 for the first. */
  readonly attempt: number;
  /** Aborted when the right to execute is lost or the time is up: stop, nothing will be stored. */
  abstract get signal(): AbortSignal;
}

/** The handler as the engine calls it, whatever the effect. */
export type Execute = (context: HandlerContext) => unknown;

/** What the effect brings along. */
interface Tools {
  readonly tx?: unknown;
  readonly step?: Step<unknown>;
}

/** An {@link AttemptContext} whose signal is made when the handler first asks for it. */
export class HandlerContext implements BaseContext {
  readonly key: IdempotencyKey;
  readonly attempt: number;
  declare readonly tx?: unknown;
  declare readonly step?: Step<unknown>;
  readonly #stop: StopSignal;

  constructor(
    { key, attempt }: Pick<BaseContext, 'key' | 'attempt'>,
    stop: StopSignal,
    tools?: Tools,
  ) {
    this.key = key;
    this.attempt = attempt;
    this.#stop = stop;
    if (tools) Object.assign(this, tools);
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Calls back, once, when the right to execute is lost or the time is up; at once if it was. */
  static whenStopped(context: object, listener: (reason: Error) => void): void {
    if (#stop in context) context.#stop.listen(listener);
  }
}
