import type { Effect } from '../effect.ts';
import type { EngineEvent } from './engine-event.ts';

/** Where an application listens in, and where it may refuse. */
export interface EngineHooks {
  /** Called for everything that happens. What it throws is ignored. */
  onEvent?: (event: EngineEvent) => void;
  /**
   * Names the kind of a scope, such as the plan or the shard of a tenant, for metrics by scope. What
   * it returns goes into labels: few different values, and nothing private.
   */
  scopeLabel?: (scope: string) => string | undefined;
  /**
   * Wraps a part of an attempt, for tracing. Must call `run` once and return what it returns.
   */
  trace?: <T>(span: TraceSpan, run: () => Promise<T>) => Promise<T>;
  /**
   * A rate limit. Asked only when an attempt is about to execute, so that replays are free.
   * What it throws refuses the attempt, as a store that is down would.
   */
  admit?: (request: AdmissionRequest) => Admission | Promise<Admission>;
}

/** A part of an attempt that tracing can show. */
export interface TraceSpan {
  readonly name: 'idempotency.reserve' | 'idempotency.execute' | 'idempotency.complete';
  /** Low in cardinality but for `idempotency.key_hash`, which is a digest, never the key. */
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** What a rate limit is asked about. */
export interface AdmissionRequest {
  readonly scope: string;
  readonly operation: string;
  readonly effect: Effect;
}

/** Whether an attempt may execute now. */
export type Admission =
  { readonly kind: 'admit' } | { readonly kind: 'refuse'; readonly retryAfterMs: number };
