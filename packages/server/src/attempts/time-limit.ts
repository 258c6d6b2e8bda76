import type { EngineRuntime } from '../engine-runtime.ts';

/** Tells a handler to stop when it has run for too long. */
export interface TimeLimit extends Disposable {
  readonly signal: AbortSignal;
}

/** Also gives up on a handler that does not stop. */
export interface HardTimeLimit extends TimeLimit {
  /** Rejects with the signal's reason a second after it fired. */
  readonly exhausted: Promise<never>;
}

export function startTimeLimit({ clock, maxExecutionMs }: EngineRuntime): TimeLimit {
  const controller = new AbortController();
  const cancel = clock.setTimer(
    () =>
      controller.abort(
        new Error(`The mutation ran for longer than maxExecutionMs (${maxExecutionMs} ms)`),
      ),
    maxExecutionMs,
  );
  return { signal: controller.signal, [Symbol.dispose]: cancel };
}

export function startHardTimeLimit(engine: EngineRuntime): HardTimeLimit {
  const limit = startTimeLimit(engine);
  const { signal } = limit;
  let cancelGrace = () => {};
  const exhausted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => {
      cancelGrace = engine.clock.setTimer(() => reject(signal.reason as Error), graceMs);
    });
  });
  // Nobody may be listening when a handler stops in time.
  exhausted.catch(() => undefined);
  return {
    signal,
    exhausted,
    [Symbol.dispose]() {
      limit[Symbol.dispose]();
      cancelGrace();
    },
  };
}

const graceMs = 1_000;
