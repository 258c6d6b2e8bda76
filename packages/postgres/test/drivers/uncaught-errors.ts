/** Errors that would have ended the process while this was watching. */
export interface UncaughtErrors extends Disposable {
  /** All until now, and what is about to be thrown outside of any promise. */
  seen(): Promise<unknown[]>;
}

/** Takes the place of whoever listens to them, the test runner as well. */
export function watchUncaughtErrors(): UncaughtErrors {
  const errors: unknown[] = [];
  const note = (error: unknown) => void errors.push(error);
  const before = process.rawListeners('uncaughtException') as (() => void)[];
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', note);
  return {
    async seen() {
      for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
      return errors;
    },
    [Symbol.dispose]() {
      process.removeListener('uncaughtException', note);
      for (const listener of before) process.on('uncaughtException', listener);
    },
  };
}
