import type { RecordState } from '@onceward/core/store';

/** How the column `state` spells a record's state. Stored: never change a number. */
export const state = { inProgress: 1, released: 2, completed: 3, unknown: 4 } as const;

export type StateCode = (typeof state)[keyof typeof state];

export const stateNames: Readonly<Record<StateCode, RecordState>> = {
  1: 'in-progress',
  2: 'released',
  3: 'completed',
  4: 'unknown',
};

export const stateCodes: Readonly<Record<RecordState, StateCode>> = {
  'in-progress': state.inProgress,
  released: state.released,
  completed: state.completed,
  unknown: state.unknown,
};
