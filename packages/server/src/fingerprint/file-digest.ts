import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/** A `Blob` or `File`, by shape: Yoga and others bring classes of their own. */
export interface FileLike {
  readonly size: number;
  readonly type: string;
  /** A `Blob` has none. */
  readonly name?: string;
  stream(): AsyncIterable<Uint8Array>;
}

export function isFileLike(value: object): value is FileLike {
  return (
    'size' in value &&
    typeof value.size === 'number' &&
    'type' in value &&
    typeof value.type === 'string' &&
    'stream' in value &&
    typeof value.stream === 'function'
  );
}

/**
 * What makes a file the same file: name, type, size and content.
 *
 * Not `lastModified`, which a form sets to the moment of the attempt.
 */
export async function describeFile(file: FileLike): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of file.stream()) hash.update(chunk);
  return canonicalJson([file.name, file.type, file.size, hash.digest('hex')]);
}
