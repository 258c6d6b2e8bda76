/** Lets attempts pass, or makes them fail as they do without a network. */
export interface NetworkSwitch {
  readonly dropped: boolean;
  /** From now on nothing is sent, and answers that are on their way do not arrive. */
  drop(): void;
  mend(): void;
  /** Does the work of an attempt, unless the network is dropped before or meanwhile. */
  through<T>(work: () => Promise<T>): Promise<T>;
}

export function createNetworkSwitch(): NetworkSwitch {
  const underWay = new Set<(error: Error) => void>();
  let dropped = false;
  return {
    get dropped() {
      return dropped;
    },
    drop() {
      dropped = true;
      for (const cut of underWay) cut(new DroppedNetworkError());
    },
    mend: () => void (dropped = false),
    async through(work) {
      if (dropped) throw new DroppedNetworkError();
      let cut = (error: Error): void => void error;
      const lost = new Promise<never>((_, reject) => void (cut = reject));
      underWay.add(cut);
      try {
        return await Promise.race([work(), lost]);
      } finally {
        underWay.delete(cut);
      }
    },
  };
}

/** A `TypeError`, because that is what `fetch` throws: whoever knows that takes this for the same. */
export class DroppedNetworkError extends TypeError {
  override readonly name = 'TypeError';

  constructor() {
    super('Failed to fetch: the network is dropped in the devtools');
  }
}
