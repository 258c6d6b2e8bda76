import { type Call, textOf } from './call.ts';
import { findRecords, isRecordId } from './find-record.ts';
import { type RecordView, viewOf } from './record-view.ts';

export interface SearchResult {
  readonly records: readonly RecordView[];
}

/** Finds records by a key, alone or with its scope, or by their id. Both may look alike. */
export async function searchRecords(call: Call): Promise<SearchResult> {
  const text = textOf(call, 'key', 255).trim();
  const scope = call.body['scope'] === undefined ? undefined : textOf(call, 'scope', 1_000);
  const { source } = call.resolved;
  const found = await findRecords(source, { text, scope });
  if (found.length > 0 || scope !== undefined) return { records: found.map(viewOf) };
  const id = text.toLowerCase();
  const record = isRecordId(id) ? await source.operator?.findById(id) : undefined;
  return { records: record ? [viewOf(record)] : [] };
}
