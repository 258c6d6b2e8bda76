import type { EngineRuntime } from '../engine-runtime.ts';
import { StopSignal } from './stop-signal.ts';

/** Gives up on a handler that does not stop when it has run for too long. */
export interface HardTimeLimit extends Disposable {
  readonly stop: StopSignal;
  /** Rejects with the signal's reason a second after it fired. */
  readonly exhausted: Promise<never>;
}

/** Calls back when a handler has run for too long, unless it is disposed of before. */
export function startTimeLimit(
  { clock, maxExecutionMs }: EngineRuntime,
  onExceeded: (reason: Error) => void,
  { hasRunMs = 0 }: { hasRunMs?: number } = {},
): Disposable {
  const cancel = clock.setTimer(
    () =>
      onExceeded(
        new Error(`The mutation ran for longer than maxExecutionMs (${maxExecutionMs} ms)`),
      ),
    maxExecutionMs - hasRunMs,
  );
  return { [Symbol.dispose]: cancel };
}

export function startHardTimeLimit(engine: EngineRuntime): HardTimeLimit {
  const stop = new StopSignal();
  let cancelGrace = () => {};
  let giveUp: (reason: Error) => void;
  const exhausted = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  // Nobody may be listening when a handler stops in time.
  exhausted.catch(() => undefined);
  const limit = startTimeLimit(engine, (reason) => {
    cancelGrace = engine.clock.setTimer(() => giveUp(reason), graceMs);
    stop.abort(reason);
  });
  return {
    stop,
    exhausted,
    [Symbol.dispose]() {
      limit[Symbol.dispose]();
      cancelGrace();
    },
  };
}

const graceMs = 1_000;
