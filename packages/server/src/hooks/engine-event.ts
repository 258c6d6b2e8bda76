import type { ErrorCode } from '@onceward/core';
import type { UnavailableReason } from '@onceward/core/store';
import type { Effect } from '../effect.ts';

/**
 * What happened. Carries no key, scope, input or answer, except where an error is the `cause`:
 * that is the error of your handler, your limiter or your driver, with all it holds.
 */
export type EngineEvent =
  | (OfMutation &
      (
        | ({ readonly kind: 'attempt-started'; readonly attempt: number } & OfScope)
        | { readonly kind: 'attempt-completed'; readonly durationMs: number }
        /** It provably did not take effect; the next attempt executes. */
        | { readonly kind: 'attempt-released'; readonly durationMs: number }
        /** It may have taken effect; the outcome is unknown now. */
        | { readonly kind: 'attempt-doubted'; readonly durationMs: number; readonly cause: unknown }
        /** It finished after another attempt took its place, so it was not recorded. */
        | { readonly kind: 'attempt-fenced'; readonly durationMs: number }
        | ({ readonly kind: 'outcome-replayed' } & OfScope)
        /** It took effect, but its answer was not stored or cannot be read. */
        | { readonly kind: 'answer-unavailable'; readonly reason: UnavailableReason }
        | { readonly kind: 'attempt-refused'; readonly code: ErrorCode }
        /** The hook `admit` itself failed. */
        | { readonly kind: 'admission-failed'; readonly cause: unknown }
      ))
  | { readonly kind: 'lookup-started'; readonly operation: string; readonly look: number }
  /** Evidence decided an unknown outcome. */
  | {
      readonly kind: 'outcome-settled';
      readonly operation: string;
      readonly evidence: 'executed' | 'not-executed';
    }
  /** Nobody could say what became of it. It is looked into again, unless it is `dead` now. */
  | {
      readonly kind: 'lookup-failed';
      readonly operation: string;
      readonly dead: boolean;
      /** What was thrown; absent when there was an answer, and it was `unsure`. */
      readonly cause?: unknown;
    }
  | { readonly kind: 'store-failed'; readonly store: string; readonly cause: unknown }
  | { readonly kind: 'leases-swept'; readonly released: number; readonly unknown: number }
  | { readonly kind: 'records-pruned'; readonly pruned: number; readonly answersDropped: number };

interface OfMutation {
  readonly operation: string;
  readonly effect: Effect;
}

interface OfScope {
  /** What `hooks.scopeLabel` made of the scope; absent without it. */
  readonly scopeLabel?: string;
}
