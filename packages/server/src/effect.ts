import type { StaleLeasePolicy } from '@onceward/core/store';

/** What a handler touches. Only its author knows, so there is no default. */
export type Effect =
  /** Writes only through the transaction it is handed: key and effect commit together. */
  | 'atomic'
  /** Runs named steps; finished ones are not run again. */
  | 'steps'
  /** Calls something outside, inline. After a crash nobody knows whether it happened. */
  | 'external'
  /** Is safe to repeat by itself. */
  | 'natural';

/** How the engine treats an error of the handler. */
export type ErrorClass =
  /** It is the answer: store it and give it to every later attempt. */
  | 'store'
  /** It provably did not take effect: the next attempt executes. */
  | 'release'
  /** It may have taken effect: only evidence settles the key. */
  | 'unknown';

interface EffectPolicy {
  readonly onStaleLease: StaleLeasePolicy;
  /** For errors that were not classified by the user. */
  readonly onError: Exclude<ErrorClass, 'store'>;
}

/** The safe policy that follows from each effect. */
export const effectPolicies: Readonly<Record<Effect, EffectPolicy>> = {
  // A dead connection rolls back, so there is nothing to be unsure about.
  atomic: { onStaleLease: 're-execute', onError: 'release' },
  // The next attempt resumes; the step that was cut off carries its downstream key.
  steps: { onStaleLease: 're-execute', onError: 'release' },
  // A fencing token cannot call back a request that has left the process.
  external: { onStaleLease: 'unknown', onError: 'unknown' },
  natural: { onStaleLease: 're-execute', onError: 'release' },
};
