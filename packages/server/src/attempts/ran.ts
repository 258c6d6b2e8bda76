import type { HandlerResult } from '../answers/answer-format.ts';

/** This attempt executed, and what it made of the intent is stored. */
export interface Ran {
  readonly kind: 'ran';
  readonly result: HandlerResult;
  /** Whether later attempts will get it. */
  readonly replayable: boolean;
}
