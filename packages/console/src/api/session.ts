import type { Permission } from '../guards/operator.ts';
import type { Call } from './call.ts';

/** What the page knows of itself. */
export interface Session {
  readonly operator: string;
  readonly may: readonly Permission[];
  /** Goes back with everything that is posted. */
  readonly token: string;
  /** `postgres`, `redis`, `memory`, … */
  readonly store: string;
  /** Whether there are lists, history, jobs and an audit trail. */
  readonly hasLists: boolean;
  readonly showPayloads: boolean;
  readonly quietMs: number;
  readonly sampleSize: number;
}

export async function showSession({ operator, resolved }: Call): Promise<Session> {
  const { source, showPayloads, quietMs, sampleSize, tokens } = resolved;
  return {
    operator: operator.name,
    may: operator.may,
    token: tokens.issue(operator),
    store: source.store.name,
    hasLists: source.operator !== undefined,
    showPayloads: showPayloads && operator.may.includes('payloads'),
    quietMs,
    sampleSize,
  };
}
