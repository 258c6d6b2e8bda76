import type { CampaignEvents, RowChange, Tabs } from '@onceward/core/journal';
import type { SimulatedProcess } from './simulated-process.ts';
import type { Timeline } from './timeline.ts';

interface Candidate {
  readonly scope: string;
  readonly events: CampaignEvents;
  readonly owner: SimulatedProcess;
}

/** The tabs of one device: the first of a scope that asks leads, and news takes a moment. */
export class SimulatedTabs {
  readonly #timeline: Timeline;
  #candidates: Candidate[] = [];
  readonly #listeners = new Map<SimulatedProcess, Set<(change: RowChange) => void>>();

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  connect(owner: SimulatedProcess): Tabs {
    this.#listeners.set(owner, new Set());
    owner.onDeath(() => {
      this.#listeners.delete(owner);
      for (const candidate of this.#candidates.filter((each) => each.owner === owner)) {
        this.#withdraw(candidate);
      }
    });
    return {
      campaign: (scope, events) => {
        if (owner.dead) return () => {};
        const candidate = { scope, events, owner };
        this.#candidates.push(candidate);
        if (this.#leaderOf(scope) === candidate) this.#elect(candidate);
        return () => this.#withdraw(candidate);
      },
      announce: (change) => {
        if (owner.dead) return;
        this.#timeline.after(1, () => {
          for (const [other, listeners] of this.#listeners) {
            if (other !== owner) for (const listener of listeners) listener(change);
          }
        });
      },
      listen: (listener) => {
        const listeners = this.#listeners.get(owner);
        listeners?.add(listener);
        return () => void listeners?.delete(listener);
      },
    };
  }

  /** Lets the next that asks lead instead of the one that does. */
  depose(scope: string): void {
    const leader = this.#leaderOf(scope);
    if (!leader) return;
    this.#withdraw(leader);
    leader.events.deposed();
  }

  #leaderOf(scope: string): Candidate | undefined {
    return this.#candidates.find((candidate) => candidate.scope === scope);
  }

  #withdraw(candidate: Candidate): void {
    const led = this.#leaderOf(candidate.scope) === candidate;
    this.#candidates = this.#candidates.filter((each) => each !== candidate);
    const next = led ? this.#leaderOf(candidate.scope) : undefined;
    if (next) this.#elect(next);
  }

  #elect(candidate: Candidate): void {
    this.#timeline.after(1, () => {
      const leads = this.#leaderOf(candidate.scope) === candidate;
      if (leads && !candidate.owner.dead) candidate.events.elected();
    });
  }
}
