import type { WishName } from './wishes.ts';

/** What a person has chosen before pressing the button. */
export interface Choice {
  readonly wish: WishName;
  readonly api: 'trpc' | 'graphql';
  /** Whether onceward takes part. */
  readonly guarded: boolean;
  /** What goes wrong, in the words of `x-fault`. */
  readonly fault: string;
}

/** One thing that a person wants, once. */
export interface Order extends Choice {
  /** With onceward this is its key. Without, no more than the number on a receipt. */
  readonly id: string;
  readonly number: number;
  readonly presses: number;
  readonly attempts: readonly Attempt[];
  /** What the shop told the person in the end. */
  readonly outcome: Outcome | null;
}

export interface Outcome {
  readonly kind: 'done' | 'failed' | 'forgotten';
  readonly words: string;
}

/**
 * One request, as the browser sees it.
 *
 *   going ──▶ there ──▶ coming ──▶ answered
 *     └─────────┴──────────┴─────▶ lost
 */
export interface Attempt {
  /** By which the server's view of it is found. */
  readonly id: string;
  /** The tab that has sent it. */
  readonly tab: string;
  readonly phase: 'going' | 'there' | 'coming' | 'answered' | 'lost';
  /** Where it was when it got lost. */
  readonly lostWhile?: 'going' | 'there' | 'coming';
  readonly status?: number;
  readonly retryAfter?: string;
  readonly replayed?: boolean;
  /** How it ended, for people. */
  readonly words?: string;
}

export function isUnderWay({ phase }: Attempt): boolean {
  return phase === 'going' || phase === 'there' || phase === 'coming';
}

/** Enough of a key to tell it from others. */
export function shortKey(key: string): string {
  return `${key.slice(0, 4)}…${key.slice(-4)}`;
}
