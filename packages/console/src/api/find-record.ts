import { type IdempotencyKey, keysFromText, keyTimestamp, parseKey } from '@onceward/core';
import type { RecordSummary } from '@onceward/core/store';
import type { RecordListing } from '@onceward/postgres';
import { Refusal } from '../answers/refusal.ts';
import type { Source } from '../source.ts';
import { type Call, textOf } from './call.ts';

/** A record of any store; of PostgreSQL with more. */
export type FoundRecord = RecordSummary & Partial<RecordListing>;

/** The one record that a request is about: by `recordId`, or by `key` and `scope`. */
export async function findRecord(call: Call): Promise<FoundRecord> {
  const { source } = call.resolved;
  const found = 'recordId' in call.body ? await byId(call) : await byName(source, nameOf(call));
  const [record] = found;
  if (record) return record;
  throw new Refusal(404, 'not-found');
}

/** The records of a key: in one scope, or in every one where the store can tell. */
export async function findRecords(
  source: Source,
  { text, scope }: { text: string; scope: string | undefined },
): Promise<readonly FoundRecord[]> {
  const { operator } = source;
  const keys = keysFromText(text.trim());
  if (keys.length === 0) throw new Refusal(400, 'bad-request', 'key');
  if (scope !== undefined) return byName(source, { keys, scope });
  if (!operator) throw new Refusal(400, 'bad-request', 'scope');
  for (const key of keys) {
    const found = await operator.findByKey(key);
    if (found.length > 0) return found;
  }
  return [];
}

/** In lower case, as PostgreSQL writes them. */
export function isRecordId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

async function byId(call: Call): Promise<readonly FoundRecord[]> {
  const id = textOf(call, 'recordId', 36).toLowerCase();
  if (!isRecordId(id)) throw new Refusal(400, 'bad-request', 'recordId');
  const record = await call.resolved.source.operator?.findById(id);
  return record ? [record] : [];
}

interface Named {
  readonly keys: readonly IdempotencyKey[];
  readonly scope: string;
}

function nameOf(call: Call): Named {
  return { keys: keysFromText(textOf(call, 'key', 255)), scope: textOf(call, 'scope', 1_000) };
}

async function byName({ store, operator }: Source, { keys, scope }: Named): Promise<FoundRecord[]> {
  for (const key of keys) {
    if (operator) {
      const found = (await operator.findByKey(key)).filter((each) => each.scope === scope);
      if (found.length > 0) return found;
      continue;
    }
    // Where opaque keys are accepted, one may look like a UUID v7.
    const times = parseKey(key).kind === 'key' ? [keyTimestamp(key), null] : [null];
    for (const keyTimestampMs of times) {
      const record = await store.find({ scope, key, keyTimestampMs });
      if (record) return [record];
    }
  }
  return [];
}
