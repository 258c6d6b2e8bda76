import type { Dice } from './dice.ts';
import type { History } from './history.ts';

/** What goes wrong, and how likely that is each time it could. */
export const faultRates = {
  // Transport
  'request dropped': 0.03,
  'answer dropped': 0.04,
  'request delayed': 0.03,
  'request duplicated': 0.03,
  'connection reset': 0.02,
  'proxy answers 503': 0.02,
  // Store
  'store fails before': 0.008,
  'store fails after': 0.012,
  'store slow': 0.004,
  // Process
  'server crashes': 0.006,
  'server stalls': 0.002,
  'provider fails before': 0.015,
  'provider fails after': 0.015,
  // Clocks: asked once a second
  'server clock jumps': 0.05,
  'device clock jumps': 0.03,
  'store clock jumps': 0.03,
  // Storage
  'journal store fails': 0.008,
  'tab dies': 0.006,
  'tab is deposed': 0.002,
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
