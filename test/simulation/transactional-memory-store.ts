import type {
  AtomicResult,
  Lease,
  NotReserved,
  ReserveRequest,
  StepResult,
  TransactionalStore,
} from '@onceward/core/store';
import type { MemoryStore } from '@onceward/server';

/** What is written through it happens at the commit, or not at all. */
export interface Transaction {
  write(effect: () => void): void;
}

/**
 * The transactions of a database, around the shipped memory store, which has none. Every decision
 * about a record is still its own: who may execute, and whether a token is the current one.
 *
 * A lease stands for the connection that a transaction holds. Nobody renews it, so that a handler
 * which outlives it finds at its commit that it was overtaken, as one does whose connection was cut.
 */
export function transactionsOf(
  store: MemoryStore,
): Pick<TransactionalStore<Transaction>, 'transact' | 'transactStep'> {
  return {
    async transact(request, execute): Promise<AtomicResult> {
      const reservation = await store.reserve(request);
      if (reservation.kind !== 'reserved') return reservation;
      const { lease, attempt } = reservation;
      const effects: (() => void)[] = [];
      const decision = await execute({ write: (effect) => void effects.push(effect) }, attempt);
      if (decision.kind === 'roll-back' || decision.kind === 'abandon') {
        await store.release(lease);
        return { kind: 'rolled-back' };
      }
      const completed = await store.complete(lease, decision.completion);
      if (completed === 'lease-lost') return winner(store, request);
      if (decision.kind === 'commit') for (const effect of effects) effect();
      return { kind: 'committed' };
    },

    async transactStep(lease: Lease, run): Promise<StepResult> {
      const effects: (() => void)[] = [];
      const entry = await run({ write: (effect) => void effects.push(effect) });
      if ((await store.saveProgress(lease, entry)) === 'lease-lost') return { kind: 'lease-lost' };
      for (const effect of effects) effect();
      return { kind: 'saved' };
    },
  };
}

async function winner(store: MemoryStore, request: ReserveRequest): Promise<AtomicResult> {
  const seen: NotReserved | { kind: 'free' } = await store.peek(request);
  return seen.kind === 'free' ? { kind: 'rolled-back' } : seen;
}
