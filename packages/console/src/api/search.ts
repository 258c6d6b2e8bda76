import { type Call, textOf } from './call.ts';
import { findRecords } from './find-record.ts';
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
  const record = isId(text) ? await source.operator?.findById(text.toLowerCase()) : undefined;
  return { records: record ? [viewOf(record)] : [] };
}

function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
