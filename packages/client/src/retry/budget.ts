/** Leave to make one retry. Give it back, whatever the attempt brought. */
export interface RetryLeave {
  release(): void;
}

/**
 * Keeps clients from drowning a server that is already struggling.
 *
 *   10 tokens ──▶ each retry takes one, each success returns a tenth
 *    ≤ half   ──▶ one retry at a time, the probe; everyone else waits for what it finds
 *
 * Counted per origin: one that is down must not slow down the others.
 */
export interface RetryBudget {
  /** `undefined` while the budget is low and another retry is finding out. */
  take(origin: string): RetryLeave | undefined;
  /** The origin works. */
  succeeded(origin: string): void;
}

/** A full budget for every origin. */
export function createRetryBudget(): RetryBudget {
  const accounts = new Map<string, { tenths: number; probing: boolean }>();
  return {
    take(origin) {
      const account = accounts.get(origin) ?? { tenths: fullBudget, probing: false };
      const probe = account.tenths <= fullBudget / 2;
      if (probe && account.probing) return undefined;
      accounts.set(origin, account);
      account.tenths = Math.max(0, account.tenths - 10);
      account.probing ||= probe;
      return { release: () => void (account.probing &&= !probe) };
    },
    succeeded(origin) {
      const account = accounts.get(origin);
      if (!account) return;
      account.tenths = Math.min(fullBudget, account.tenths + 1);
      // A full account is what an unknown origin has anyway: the map holds only the troubled.
      if (account.tenths === fullBudget && !account.probing) accounts.delete(origin);
    },
  };
}

/** In tenths of a token: ten times 0.1 is not quite 1. */
const fullBudget = 100;
