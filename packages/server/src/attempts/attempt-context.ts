import type { IdempotencyKey } from '@onceward/core';
import type { Effect } from '../effect.ts';
import type { Step } from '../steps/step-runner.ts';
import type { StopSignal } from './stop-signal.ts';

/** What a handler gets. Which parts it has follows from the effect that was declared. */
export type AttemptContext<DeclaredEffect extends Effect, Transaction> = BaseContext &
  (DeclaredEffect extends 'atomic' ? { readonly tx: Transaction } : unknown) &
  (DeclaredEffect extends 'steps' ? { readonly step: Step<Transaction> } : unknown);

interface BaseContext {
  readonly key: IdempotencyKey;
  /** 1 for the first. */
  readonly attempt: number;
  /** Aborted when the right to execute is lost or the time is up: stop, nothing will be stored. */
  readonly signal: AbortSignal;
}

/** The handler as the engine calls it, whatever the effect. */
export type Execute = (context: BaseContext & { tx?: unknown; step?: Step<unknown> }) => unknown;

/** A context whose signal is made when the handler first asks for it. */
export function attemptContext(
  key: IdempotencyKey,
  attempt: number,
  stop: StopSignal,
): BaseContext {
  const context: BaseContext = {
    key,
    attempt,
    get signal() {
      return stop.signal;
    },
  };
  stops.set(context, stop);
  return context;
}

/** Calls back, once, when the right to execute is lost or the time is up. */
export function whenStopped(context: BaseContext, listener: (reason: Error) => void): void {
  const stop = stops.get(context);
  if (stop) return stop.listen(listener);
  // Some contexts are made from others, and have nothing but the signal.
  const { signal } = context;
  const abort = () => listener(signal.reason as Error);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
}

const stops = new WeakMap<BaseContext, StopSignal>();
