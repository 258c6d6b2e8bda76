import type { Call } from './call.ts';
import { type FoundRecord, findRecord } from './find-record.ts';
import { type RecordView, viewOf } from './record-view.ts';
import { type TrailView, trailViewOf } from './trail-view.ts';
import { type LookupView, lookupView } from './unknown.ts';

/** One record, and all that is known of what happened to it. */
export interface RecordPage {
  readonly record: RecordView;
  /** The whole key: whoever looks for evidence needs it. */
  readonly key: string;
  /** By the clock of this process. */
  readonly now: number;
  /** Of PostgreSQL alone. */
  readonly details?: RecordFacts;
  /** Who is to find out, if it is unknown. */
  readonly lookup?: LookupView;
  /** What people did to it, newest first; absent where no trail is kept. */
  readonly trail?: readonly TrailView[];
}

export interface RecordFacts {
  readonly table: string;
  readonly onStaleLease: string;
  readonly bodyBytes: number;
  /** `null`: for ever. */
  readonly keyExpiresAt: number | null;
  /** `null`: as long as the key; absent if there is no outcome. */
  readonly answerExpiresAt?: number | null;
}

export async function showRecordPage(call: Call): Promise<RecordPage> {
  const record = await findRecord(call);
  const page = { record: viewOf(record), key: record.key, now: call.resolved.now() };
  return { ...page, ...(await historyOf(call, record)) };
}

async function historyOf(
  { resolved: { source } }: Call,
  record: FoundRecord,
): Promise<Pick<RecordPage, 'details' | 'lookup' | 'trail'>> {
  const { operator } = source;
  if (!operator) return {};
  const { recordId } = record;
  const [shown, [lookup]] = await Promise.all([
    operator.show(record),
    operator.lookups({ recordId, limit: 1 }),
  ]);
  if (!shown) return {};
  const { table, onStaleLease, bodyBytes, keyExpiresAt, answerExpiresAt, audit } = shown;
  return {
    details: {
      ...{ table, onStaleLease, bodyBytes, keyExpiresAt: finite(keyExpiresAt) },
      ...(answerExpiresAt === undefined ? {} : { answerExpiresAt: finite(answerExpiresAt) }),
    },
    ...(lookup ? { lookup: lookupView(lookup) } : {}),
    trail: audit.map(trailViewOf),
  };
}

function finite(ms: number): number | null {
  return Number.isFinite(ms) ? ms : null;
}
