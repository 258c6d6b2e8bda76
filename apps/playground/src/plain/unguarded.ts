import { mintKey } from '@onceward/core';
import type { Step } from '@onceward/server';
import type pg from 'pg';

/**
 * What a handler works with where nobody guards it: a connection that commits every statement, and
 * steps that are just called, each time as something new.
 */
export function unguarded(database: pg.Pool, order: string) {
  const step: Step = async (_name, run) =>
    run({ downstreamKey: mintKey(), signal: new AbortController().signal });
  // The ledger has the order where it would have the key.
  return { key: order, tx: database, step };
}
