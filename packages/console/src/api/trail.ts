import { Refusal } from '../answers/refusal.ts';
import { needOperator } from '../source.ts';
import type { Call } from './call.ts';
import { type TrailView, trailViewOf } from './trail-view.ts';

export interface Trail {
  readonly entries: readonly TrailView[];
  readonly cursor?: string;
}

/** What people did, newest first. */
export async function listTrail({ resolved, searchParams }: Call): Promise<Trail> {
  const cursor = searchParams.get('cursor') ?? undefined;
  if (cursor !== undefined && !/^\d{1,18}$/.test(cursor)) {
    throw new Refusal(400, 'bad-request', 'cursor');
  }
  const page = await needOperator(resolved.source).audit({ cursor });
  const entries = page.entries.map(trailViewOf);
  return page.cursor === undefined ? { entries } : { entries, cursor: page.cursor };
}
