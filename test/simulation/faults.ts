import type { Dice } from './dice.ts';
import type { History } from './history.ts';

/** What goes wrong, and how likely that is each time it could. */
export const faultRates = {
  // Transport
  'request dropped': 0.04,
  'answer dropped': 0.05,
  'request delayed': 0.04,
  'request duplicated': 0.04,
  'connection reset': 0.025,
  'proxy answers 503': 0.025,
  // Store
  'store fails before': 0.012,
  'store is away': 0.003,
  'store fails after': 0.018,
  'store slow': 0.006,
  'stored answer is damaged': 0.03,
  // Process
  'server crashes': 0.007,
  'server stalls': 0.003,
  'provider fails before': 0.03,
  'provider fails after': 0.03,
  // Clocks, once a second
  'server clock jumps': 0.1,
  'device clock jumps': 0.05,
  'store clock jumps': 0.1,
  // Storage; tabs once a second
  'journal store fails': 0.01,
  'tab dies': 0.02,
  'tab dies in mid-write': 0.002,
  'tab is deposed': 0.05,
} as const;

export type FaultKind = keyof typeof faultRates;

/** Decides when something goes wrong, until it is told that all is well. */
export interface Faults {
  strike(kind: FaultKind): boolean;
  heal(): void;
  readonly healed: boolean;
}

export function faultsOf(dice: Dice, history: History): Faults {
  let healed = false;
  return {
    get healed() {
      return healed;
    },
    strike(kind) {
      if (healed || !dice.chance(faultRates[kind])) return false;
      history.fault(kind);
      return true;
    },
    heal: () => void (healed = true),
  };
}
