import { incomingKeys, type IncomingKeys, type KeySource } from '@onceward/server/trpc';
import type { RequestFaults } from '../faults/request-faults.ts';

/** What every procedure knows about its request. */
export interface Context {
  /** `null`: not signed in. */
  readonly user: string | null;
  readonly idempotency: IncomingKeys;
  readonly faults: Pick<RequestFaults, 'midway'>;
}

export function createContext(
  source: KeySource,
  { user, faults }: Pick<Context, 'user' | 'faults'>,
): Context {
  return { user, faults, idempotency: incomingKeys(source) };
}
