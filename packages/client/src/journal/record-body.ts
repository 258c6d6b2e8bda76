import type { JournalRow } from '@onceward/core/journal';
import type { JournalRecord } from './journal-record.ts';

/** Why a row is not a record that may be sent. */
export type QuarantineProblem =
  /** Damaged, or not written by a journal. */
  | 'corrupt'
  /** Written by a later version of this package. */
  | 'newer'
  /** The codec could not decode it, as with the key of another installation. */
  | 'undecodable';

/** What is in a row: a record, or something to keep and to leave alone. */
export type RowContent =
  | { readonly kind: 'record'; readonly record: JournalRecord }
  | { readonly kind: 'quarantined'; readonly problem: QuarantineProblem };

/** Encrypts or translates bodies on their way to the store and back. */
export interface BodyCodec {
  encode(text: string): string | Promise<string>;
  /** Throws for what it cannot decode; such a row is kept, and never sent. */
  decode(text: string): string | Promise<string>;
}

/** A record as text: `1:` for the version, a checksum, and JSON. */
export function writeBody(record: JournalRecord): string {
  // Those two are in the envelope.
  const json = JSON.stringify({ ...record, seq: undefined, scope: undefined });
  return `${version}:${checksum(json)}:${json}`;
}

export function readBody(body: string, { seq, scope }: JournalRow): RowContent {
  const [, written, sum, json = ''] = /^(\d+):(\w+):(.*)$/s.exec(body) ?? [];
  if (Number(written) > version) return { kind: 'quarantined', problem: 'newer' };
  if (sum !== checksum(json)) return { kind: 'quarantined', problem: 'corrupt' };
  const members = JSON.parse(json) as Omit<JournalRecord, 'seq' | 'scope'>;
  return { kind: 'record', record: { ...members, seq, scope } };
}

const version = 1;

/** FNV-1a: tells a damaged text from a whole one, and costs no dependency. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}
