import type { IdempotencyKey } from '@onceward/core';
import type { RetryReason } from '../retry/verdict.ts';

/**
 * Where an intent stands.
 *
 *   queued ──▶ sending ──▶ succeeded, failed, unresolved ──▶ removed, once the application knows
 *     │         │   ▲                          │
 *     │         ▼   │                          └──▶ resolved by the application
 *     │        waiting
 *     └─────────┴──────────▶ cancelled
 *
 * Found `sending` after a restart, it may have reached the server: it is sent again, as it was.
 */
export type RecordState = LiveState | 'succeeded' | 'failed' | 'unresolved' | 'cancelled';

type LiveState = 'queued' | 'sending' | 'waiting';

/** Why a record waits, or ended as it did. */
export type RecordReason =
  | RetryReason
  /** Other retries of this journal fail, and one of them is finding out. */
  | 'budget'
  /** The server asked to sign in. */
  | 'unauthorized'
  /** An answer of the application, which is not an answer it repeats. */
  | 'answered'
  /** A refusal of the server that stays the same however often it is sent. */
  | 'refused'
  /** An intent that it comes after did not succeed, so it was never sent. */
  | 'dependency'
  /** It was sent, and is too old to be sent again: the server may have forgotten its key. */
  | 'expired'
  /** The key did not travel with it. */
  | 'configuration'
  /** The application called it off. */
  | 'cancelled';

/** One intent, as a journal keeps it. Never changed in place. */
export interface JournalRecord {
  /** Names the record for as long as it exists: the first key it had. */
  readonly id: string;
  /** Where it stands in the order of submission. */
  readonly seq: number;
  /** Grows with every change of it. */
  readonly rev: number;
  readonly scope: string;
  /** What sends it: `trpc`, `apollo`, `urql`. */
  readonly channel: string;
  /** What is called, such as the path of a tRPC procedure. */
  readonly operation: string;
  /** The input as text, the same for every attempt. */
  readonly input: string;
  readonly key: IdempotencyKey;
  /** Records of one lane are sent one after the other, in order. */
  readonly lane: string | null;
  /** The ids of what must have succeeded before. */
  readonly after: readonly string[];
  /** What makes two submissions one, while this one is live. */
  readonly intent: string;
  /** What the application wants to find again, for a list of what is pending. JSON. */
  readonly meta?: unknown;
  readonly state: RecordState;
  readonly reason?: RecordReason | undefined;
  /** How many attempts were charged. One that was only asked to sign in is not. */
  readonly attempts: number;
  readonly createdAt: number;
  /** Absent while it is certain that no server has seen it. */
  readonly firstSentAt?: number | undefined;
  /** After this, a server may have forgotten its key. */
  readonly expiresAt: number;
  /** For `waiting`: when to send it again, and how long that was to be from when it was said. */
  readonly nextAt?: number | undefined;
  readonly delayMs?: number | undefined;
  readonly settledAt?: number | undefined;
  /** The answer or the error as text, where one was kept. */
  readonly answer?: string | undefined;
}

/** Whether it is still to be delivered. */
export function isLive({ state }: JournalRecord): boolean {
  return state === 'queued' || state === 'sending' || state === 'waiting';
}

/** Whether the application is to be told how it ended. Who is to `resolve` it finds it as it is. */
export function isSettled(record: JournalRecord): boolean {
  return !isLive(record) && record.state !== 'unresolved';
}
