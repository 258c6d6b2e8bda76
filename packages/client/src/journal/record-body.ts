import type { JournalRow } from '@onceward/core/journal';
import type { JournalRecord } from './journal-record.ts';
import type { Draft } from './submission.ts';

/** Why a row is not a record that may be sent. */
export type QuarantineProblem =
  /** Damaged, or not written by a journal. */
  | 'corrupt'
  /** Written by a later version of this package. */
  | 'newer'
  /** The codec could not decode it, as with the key of another installation. */
  | 'undecodable';

/** Encrypts or translates bodies on their way to the store and back. */
export interface BodyCodec {
  encode(text: string): string | Promise<string>;
  /** Throws for what it cannot decode; such a row is kept, and never sent. */
  decode(text: string): string | Promise<string>;
}

/** A record as text: `1:` for the version, a checksum, and JSON. */
export function writeBody(record: Draft): string {
  // Those are in the envelope.
  const json = JSON.stringify({ ...record, seq: undefined, rev: undefined, scope: undefined });
  return `${version}:${checksum(json, 0)}:${json}`;
}

/** The record in a row, or why there is none to be sent. */
export function readBody(
  body: string,
  { seq, rev, scope }: JournalRow,
): JournalRecord | QuarantineProblem {
  const [head = '', written, sum] = /^(\d+):(\w+):/.exec(body) ?? [];
  if (Number(written) > version) return 'newer';
  const start = head.length;
  if (sum !== checksum(body, start)) return 'corrupt';
  const record = { ...(JSON.parse(body.slice(start)) as JournalRecord), seq, rev, scope };
  // A checksum tells damage, not malice: a row that somebody made up must neither be sent without
  // its key nor keep all others from being sent.
  return typeof record.key === 'string' && Array.isArray(record.after) ? record : 'corrupt';
}

const version = 1;

/** FNV-1a: tells a damaged text from a whole one, and costs no dependency. */
function checksum(text: string, start: number): string {
  let hash = 0x811c9dc5;
  // Of the text as it is: what was cut out of another is read more slowly, and there is much of it.
  for (let index = start; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}
