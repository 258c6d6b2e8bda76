import type { LookupCount, LookupListing } from '@onceward/postgres';
import { Refusal } from '../answers/refusal.ts';
import { needOperator } from '../source.ts';
import type { Call } from './call.ts';
import { keyHint } from './record-view.ts';

/** An unknown record, and who is to find out what became of it. */
export interface LookupView {
  readonly recordId: string;
  readonly keyHint: string;
  readonly scope: string;
  readonly operation: string;
  readonly attempt: number;
  readonly unknownSince: number;
  readonly looks: number;
  readonly state: LookupListing['state'];
  readonly dueAt: number;
  readonly deadAt?: number;
}

export interface UnknownList {
  readonly counts: readonly LookupCount[];
  /** Those first that have been unknown for longest; at most 200. */
  readonly lookups: readonly LookupView[];
}

/** Lists unknown records, all or those in one state of their look-up. */
export async function listUnknown({ resolved, searchParams }: Call): Promise<UnknownList> {
  const state = searchParams.get('state') ?? undefined;
  if (state !== undefined && !isLookupState(state)) throw new Refusal(400, 'bad-request', 'state');
  const operator = needOperator(resolved.source);
  const [counts, lookups] = await Promise.all([
    operator.lookupCounts(),
    operator.lookups({ state, limit: 200 }),
  ]);
  return { counts, lookups: lookups.map(lookupView) };
}

export function lookupView(lookup: LookupListing): LookupView {
  const { recordId, key, scope, operation, attempt, unknownSince, looks } = lookup;
  const { state, dueAt, deadAt } = lookup;
  return {
    ...{ recordId, keyHint: keyHint(key), scope, operation, attempt, unknownSince, looks },
    ...{ state, dueAt },
    ...(deadAt === undefined ? {} : { deadAt }),
  };
}

function isLookupState(word: string): word is LookupListing['state'] {
  return word === 'waiting' || word === 'looking' || word === 'dead';
}
