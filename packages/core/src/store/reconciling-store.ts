import type { RecordName } from './record.ts';
import type { Store } from './store.ts';

/**
 * A store that hands out unknown records to whoever finds out what became of them.
 *
 * 17. a record is due as soon as it is unknown, and again when the time it was put off for is over;
 * 18. of any number of callers, one gets a record that is due; nobody else does while its time has
 *     not run out, and somebody does when it has;
 * 19. a dead record is never due; an operator may make it due again;
 * 20. a record that is not unknown any more is not handed out; one that became unknown once more
 *     starts anew.
 *
 * Looking changes nothing about a record: only `settle` does.
 */
export interface ReconcilingStore extends Store {
  /** Takes records that are due, those that have been so for longest first. */
  takeUnknown(request: TakeUnknownRequest): Promise<readonly UnknownRecord[]>;
  /** Gives one back, unless the time for it ran out and somebody else has it. */
  putOff(record: UnknownRecord, until: PutOff): Promise<'put-off' | 'lease-lost'>;
  /** Makes a dead record due, as if nobody had ever looked into it. */
  revive(name: RecordName): Promise<'revived' | 'not-dead'>;
}

/** Which unknown outcomes a reconciler asks for. */
export interface TakeUnknownRequest {
  /** At most this many. */
  readonly limit: number;
  /** For how long each is the caller's alone. */
  readonly leaseMs: number;
  /** Only of these operations. */
  readonly operations: readonly string[];
}

/** A record that somebody looks into. */
export interface UnknownRecord extends RecordName {
  readonly operation: string;
  /** The attempt that nobody knows the outcome of. */
  readonly attempt: number;
  /** In milliseconds since 1970, by the store's clock. */
  readonly unknownSince: number;
  /** Which look this is; 1 for the first. */
  readonly look: number;
  /** Of this look. */
  readonly token: string;
}

/** What becomes of an unknown outcome that nobody could find out about. */
export type PutOff =
  | { readonly kind: 'later'; readonly delayMs: number }
  /** For an operator: nobody else will find out. */
  | { readonly kind: 'dead' }
  /** It is not unknown, or not there any more. */
  | { readonly kind: 'gone' };
