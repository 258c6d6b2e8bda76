import type { FencingToken, NotReserved, ReserveRequest } from '@onceward/core/store';
import { type OutcomeCode, outcomeFrom } from './sql/outcome-code.ts';
import { state, type StateCode } from './sql/state.ts';

/** What a request finds, as the database saw it at one instant of its own clock. */
export type Sighting =
  | { readonly found: false; readonly key_expired: boolean }
  | {
      readonly found: true;
      readonly same_fingerprint: boolean;
      readonly fingerprint_version: number;
      readonly state: StateCode;
      readonly attempt: number;
      /** As PostgreSQL writes a UUID. */
      readonly token: string;
      readonly own_token: boolean;
      readonly re_executable: boolean;
      readonly lease_remaining_ms: number;
      readonly outcome: OutcomeCode | null;
      readonly answer_expires_at_ms: number | null;
      /** The answer, or the caller's own progress; `null` for whoever may not see it. */
      readonly body: Uint8Array | null;
    };

export type Verdict =
  | NotReserved
  /** No record: insert one. */
  | { readonly kind: 'absent' }
  /** Released, or its lease ran out and executing again is safe: take it from this token. */
  | { readonly kind: 'vacant'; readonly from: FencingToken; readonly attempt: number }
  /** Its lease ran out and the effect may have happened: nobody has written that down yet. */
  | { readonly kind: 'orphaned'; readonly from: FencingToken }
  /** The caller holds it already: an earlier answer was lost. */
  | {
      readonly kind: 'held-by-caller';
      readonly attempt: number;
      readonly progress: Uint8Array;
      readonly retryAfterMs: number;
    };

/** Decides what a sighting means for a request. Pure: no clock, no I/O. */
export function judge(sighting: Sighting, { onStaleLease }: ReserveRequest): Verdict {
  if (!sighting.found) return { kind: sighting.key_expired ? 'expired' : 'absent' };
  // Before any other question: a different input learns nothing and changes nothing.
  if (!sighting.same_fingerprint) {
    return { kind: 'mismatch', fingerprintVersion: sighting.fingerprint_version };
  }

  const { attempt, token: from } = sighting;
  const retryAfterMs = Math.max(0, Math.ceil(sighting.lease_remaining_ms));
  switch (sighting.state) {
    case state.completed:
      return {
        kind: 'completed',
        outcome: outcomeFrom(sighting.outcome, sighting.body),
        answerExpiresAt: sighting.answer_expires_at_ms ?? Infinity,
      };
    case state.unknown:
      return { kind: 'unknown' };
    case state.released:
      // A token that was given back is not handed out again: its old holder may still believe in it.
      return sighting.own_token
        ? { kind: 'in-progress', retryAfterMs: 1 }
        : { kind: 'vacant', from, attempt };
    case state.inProgress:
      if (sighting.own_token) {
        const progress = new Uint8Array(sighting.body ?? []);
        return { kind: 'held-by-caller', attempt, progress, retryAfterMs };
      }
      if (sighting.lease_remaining_ms > 0) return { kind: 'in-progress', retryAfterMs };
      // Both must allow it: the release that granted the lease, and the one that asks now.
      return sighting.re_executable && onStaleLease === 're-execute'
        ? { kind: 'vacant', from, attempt }
        : { kind: 'orphaned', from };
  }
}
