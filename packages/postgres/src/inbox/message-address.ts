import { createHash } from 'node:crypto';
import { advisoryLock } from '../record-address.ts';

/** A message, by the name its source has given it. */
export interface MessageName {
  readonly source: string;
  readonly messageId: string;
}

/** Where one message is. */
export interface MessageAddress {
  /** Schema and table, quoted. */
  readonly table: string;
  /** As a UUID. */
  readonly id: string;
  /** The advisory lock that stands for it. */
  readonly lock: string;
}

/** Finds a message by its name alone: 128 bits of hash, however long the name is. */
export function messageAddress(message: MessageName, schema: string): MessageAddress {
  // As JSON, or ('ab', 'c') and ('a', 'bc') would be one message.
  const name = JSON.stringify([message.source, message.messageId]);
  const hex = createHash('sha256').update(name).digest('hex').slice(0, 32);
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const table = `${schema}."inbox_messages"`;
  return { table, id, lock: advisoryLock(`${table} ${id}`) };
}
