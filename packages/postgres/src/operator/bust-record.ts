import type { Queryable } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import { answer, readAnswers } from '../sql/answer.ts';
import { audited, auditValues } from '../sql/audited.ts';
import { outcomeCode } from '../sql/outcome-code.ts';
import { state, type StateCode } from '../sql/state.ts';

/** Whose stored failure is to be freed, by whom and why. */
export interface BustRequest {
  /** Who does it. */
  readonly actor: string;
  /** Why. */
  readonly reason: string;
  /**
   * Also a record of something that took effect. The next delivery of its key will do it a second
   * time.
   *
   * @defaultValue `false`
   */
  readonly evenIfExecuted?: boolean | undefined;
  /**
   * The attempt whose outcome somebody has looked at. Should a later one have ended by now, nothing
   * is changed: what it did is not what was decided about.
   */
  readonly attempt?: number | undefined;
}

/** What came of it. */
export type BustResult =
  /** The next delivery of the key executes it. */
  | 'busted'
  | 'absent'
  /** Somebody is executing it. */
  | 'in-progress'
  /** Nobody knows whether it took effect: settle it. */
  | 'unknown'
  /** The next delivery executes it anyway. */
  | 'released'
  /** It took effect, and that was not said to be fine. */
  | 'executed'
  /** A later attempt than the one that was named has ended. */
  | 'attempted-again';

/**
 * Frees the key of a finished record, so that its next delivery is executed: for a failure that was
 * stored and should not have been.
 *
 * The record stays, with its fingerprint, so that another input is still refused.
 */
export async function bustRecord(
  database: Queryable,
  address: RecordAddress,
  { actor, reason, evenIfExecuted = false, attempt }: BustRequest,
): Promise<BustResult> {
  const busted = await database.query(
    audited(
      address,
      `update only ${address.table}
          set state             = ${state.released},
              outcome           = null,
              answer_expires_at = null,
              body              = null
        where id = $1::uuid
          and state = ${state.completed}
          and (outcome = ${outcomeCode.failure} or $5::bool)
          and attempt = coalesce($6::int4, attempt)`,
    ),
    [
      ...auditValues(address, 'bust', { actor, evidence: { reason } }),
      evenIfExecuted,
      attempt ?? null,
    ],
  );
  if (busted.length === 1) return 'busted';

  const rows = await database.query(
    `select ${answer({ state: 'state', attempt: 'attempt' })}
       from ${address.family}
      where id = $1::uuid`,
    [address.id],
  );
  const [found] = readAnswers<{ state: StateCode; attempt: number }>(rows);
  if (!found) return 'absent';
  const isOther = found.attempt !== (attempt ?? found.attempt);
  return found.state === state.completed && isOther ? 'attempted-again' : refusals[found.state];
}

const refusals = {
  [state.inProgress]: 'in-progress',
  [state.released]: 'released',
  [state.completed]: 'executed',
  [state.unknown]: 'unknown',
} as const satisfies Record<StateCode, BustResult>;
