import { type Evidence, evidenceFromText, settleUnknown } from '@onceward/server';
import { Refusal } from '../answers/refusal.ts';
import { audited } from '../audited.ts';
import { aboutRecord } from './about-record.ts';
import { type Call, textOf } from './call.ts';
import { findRecord } from './find-record.ts';
import type { Decided } from './job.ts';

/** Decides an unknown outcome on evidence, about the attempt that the operator has looked at. */
export async function settleOutcome(call: Call): Promise<Decided> {
  const text = textOf(call, 'evidence', 10_000);
  const evidence = evidenceFromText(text);
  if (evidence === undefined) throw new Refusal(400, 'bad-request', 'evidence');
  const { store } = call.resolved.source;
  const { answerRetentionMs } = call.resolved;
  const decision: Evidence = {
    ...decisionOf(call),
    attempt: attemptOf(call),
    audit: { actor: call.operator.name, evidence },
  };
  const record = await findRecord(call);
  return audited(call, {
    about: aboutRecord(record, 'settle', text),
    run: () => settleUnknown({ store, record }, decision, { answerRetentionMs }),
  });
}

function decisionOf({ body, resolved }: Call): Evidence {
  if (body['as'] === 'not-executed') return { kind: 'not-executed', quietMs: resolved.quietMs };
  if (body['as'] !== 'executed') throw new Refusal(400, 'bad-request', 'as');
  const { value } = body;
  if (value === undefined) return { kind: 'executed' };
  if (typeof value !== 'string') throw new Refusal(400, 'bad-request', 'value');
  try {
    return { kind: 'executed', value: JSON.parse(value) as unknown };
  } catch {
    throw new Refusal(400, 'bad-request', 'value');
  }
}

function attemptOf({ body: { attempt } }: Call): number {
  if (typeof attempt === 'number' && Number.isSafeInteger(attempt) && attempt > 0) return attempt;
  throw new Refusal(400, 'bad-request', 'attempt');
}
