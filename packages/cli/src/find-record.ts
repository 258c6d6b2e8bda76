import { type IdempotencyKey, keysFromText, printable } from '@onceward/core';
import type { RecordListing } from '@onceward/postgres';
import { CliFailure } from './cli-failure.ts';
import type { OpenDatabase } from './connection/open-database.ts';
import { exitCode } from './exit-code.ts';

/** Finds the one record that a person means by a key, and a scope if the key alone is not enough. */
export async function findRecord(
  { operator, schema, address }: OpenDatabase,
  text: string,
  scope: string | undefined,
): Promise<RecordListing> {
  let found: readonly RecordListing[] = [];
  for (const key of keysOf(text)) if (found.length === 0) found = await operator.findByKey(key);
  const records = scope === undefined ? found : found.filter((record) => record.scope === scope);
  const [record, ...others] = records;
  if (!record) {
    const where = scope === undefined ? '' : ` in the scope ${printable(scope)}`;
    throw new CliFailure(exitCode.attention, `There is no record of this key${where}.`, {
      advice:
        `Looked in the schema ${schema} of ${address}. It may never have arrived, be past its ` +
        'retention, or belong to an atomic mutation that has not committed.',
    });
  }
  if (others.length > 0) {
    const scopes = records.map((each) => `  --scope ${JSON.stringify(each.scope)}`);
    throw new CliFailure(
      exitCode.usage,
      `This key is in ${records.length} scopes. Say which one you mean: ${scopes.join(' ')}`,
    );
  }
  return record;
}

function keysOf(text: string): readonly IdempotencyKey[] {
  const keys = keysFromText(text);
  if (keys.length > 0) return keys;
  throw new CliFailure(exitCode.usage, 'That is not an idempotency key.', {
    advice: 'Expected a UUID v7, or 16 to 255 printable ASCII characters.',
  });
}
