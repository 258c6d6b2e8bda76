import type { RecordState } from '@onceward/core/store';

/** A record as it is before or after a call to the store. */
export type SeenState = RecordState | 'absent';

/**
 * Every way in which a call to the store may change a record, by the number it has in the table of
 * transitions. What is not here must not happen.
 */
export const transitions: ReadonlyMap<string, string> = new Map([
  ['reserve: absent → in-progress', 'T1 reserved'],
  ['reserve: in-progress → in-progress, taken over', 'T5 taken over'],
  ['reserve: in-progress → unknown', 'T6 stale, so unknown'],
  ['complete: in-progress → completed', 'T7 completed'],
  ['complete: unknown → completed', "T7' completed late"],
  ['release: in-progress → released', 'T8 released'],
  ['doubt: in-progress → unknown', 'T9 doubted'],
  ['reserve: released → in-progress', 'T10 reserved again'],
  ['renew: in-progress → in-progress', 'T11 renewed'],
  ['saveProgress: in-progress → in-progress', 'T12 progress saved'],
  ['settle: unknown → completed', 'T13 proven done'],
  ['settle: unknown → released', 'T14 proven undone'],
  ['putOff: unknown → unknown', 'T15 put off'],
]);

/** What the store answers while the record stays as it is. */
export const answers: ReadonlyMap<string, string> = new Map([
  ['reserve: expired', 'T2 refused as too old'],
  ['reserve: mismatch', 'T3 refused as another input'],
  ['reserve: in-progress', 'T4 in progress'],
  ['reserve: unknown', 'T6 refused as unknown'],
  ['reserve: completed', 'replayed'],
  ['renew: lease-lost', 'T20 fenced out'],
  ['complete: lease-lost', 'T20 fenced out'],
  ['saveProgress: lease-lost', 'T20 fenced out'],
  ['release: lease-lost', 'T20 fenced out'],
  ['doubt: lease-lost', 'T20 fenced out'],
]);
