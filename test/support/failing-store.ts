import type { Store } from '@onceward/core/store';

type Method = {
  [Name in keyof Store]: Store[Name] extends (...args: never) => unknown ? Name : never;
}[keyof Store];

/** What happens to a call, before or after the real store has seen it. */
export type Fault =
  /** The store never hears of it. */
  | 'lost-request'
  /** The store does it, and the answer is lost. */
  | 'lost-answer'
  /** The store never answers. */
  | 'hang';

/** A real store behind a line that fails on purpose. */
export interface FailingStore {
  readonly store: Store;
  /** The next `times` calls of the method meet the fault. */
  fail(method: Method, fault: Fault, times?: number): void;
  /** Every call that was made, in order. */
  readonly calls: Method[];
}

export function failingStore(real: Store): FailingStore {
  const faults = new Map<Method, { fault: Fault; times: number }>();
  const calls: Method[] = [];

  const store = new Proxy(real, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      const method = property as Method;
      return async (...args: unknown[]) => {
        calls.push(method);
        const planned = faults.get(method);
        const fault = planned && planned.times > 0 ? planned.fault : undefined;
        if (planned) planned.times--;
        if (fault === 'lost-request') throw new Error('connection refused');
        const answer: unknown = await (value as (...all: unknown[]) => unknown).apply(target, args);
        if (fault === 'hang') await new Promise(() => {});
        if (fault === 'lost-answer') throw new Error('connection reset');
        return answer;
      };
    },
  });
  return {
    store,
    calls,
    fail: (method, fault, times = Infinity) => void faults.set(method, { fault, times }),
  };
}
