import { Refusal } from './answers/refusal.ts';
import type { Call } from './api/call.ts';

/** One thing that an operator did, or was about to do. */
export interface AuditedAction {
  readonly at: number;
  /** Their name, from `authorize`. */
  readonly operator: string;
  readonly action: 'settle' | 'view answer' | 'retry job' | 'discard job' | 'view payload';
  /** Of PostgreSQL, as in its table `audit`. */
  readonly recordId?: string;
  readonly jobId?: string;
  /** For a record: whose it is. */
  readonly scope?: string;
  /** The beginning and the end of the key; never the whole. */
  readonly keyHint?: string;
  /** Of the mutation, or the task of the job. */
  readonly operation?: string;
  /** What they wrote down: evidence or a reason; `null` for a look. */
  readonly evidence: string | null;
  /** `asked` before it is done; then what came of it, such as `settled`, or `failed`. */
  readonly result: string;
}

export interface Audited {
  readonly about: Omit<AuditedAction, 'at' | 'operator' | 'result'>;
  readonly run: () => Promise<string>;
}

/**
 * Does something that has to be accounted for, between two entries of the audit.
 *
 * Without the first one nothing is done. That the second one failed cannot undo a decision: it is said
 * in the answer. What somebody would have seen is not shown then.
 */
export async function audited(
  { resolved, operator }: Call,
  { about, run }: Audited,
): Promise<{ result: string; audited: boolean }> {
  const { audit, now, onError } = resolved;
  const note = async (result: string) =>
    audit({ at: now(), operator: operator.name, ...about, result });
  const noteAfter = (result: string) =>
    note(result).then(
      () => true,
      (error: unknown) => {
        onError(error);
        return false;
      },
    );
  try {
    await note('asked');
  } catch (error) {
    onError(error);
    throw new Refusal(503, 'audit-failed');
  }
  let result: string;
  try {
    result = await run();
  } catch (error) {
    await noteAfter('failed');
    throw error;
  }
  return { result, audited: await noteAfter(result) };
}
