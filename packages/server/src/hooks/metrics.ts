import type { ErrorCode } from '@onceward/core';
import type { EngineEvent } from './engine-event.ts';

/**
 * The counters of this kit. Names are part of the API: dashboards and alerts refer to them.
 */
export const metricNames = {
  created: 'api.idempotency.reserve.created.count',
  replay: 'api.idempotency.reserve.replay.count',
  inProgress: 'api.idempotency.reserve.in_progress.count',
  keyMisuse: 'api.idempotency.reserve.key_misuse.count',
  failedRetry: 'api.idempotency.reserve.failed_retry.count',
  unknown: 'api.idempotency.reserve.unknown.count',
  storeError: 'api.idempotency.store.error.count',
  zombieKey: 'api.idempotency.zombie_key.count',
  ttlPruned: 'api.idempotency.ttl_pruned.count',
  reconcileScheduled: 'api.idempotency.reconcile.scheduled.count',
  reconcileResolved: 'api.idempotency.reconcile.resolved.count',
  reconcileFailed: 'api.idempotency.reconcile.failed.count',
} as const;

/** The name of a metric. */
export type MetricName = (typeof metricNames)[keyof typeof metricNames];

/** One measurement. */
export interface MetricPoint {
  readonly name: MetricName;
  readonly value: number;
  /** The operation, its effect, and what `hooks.scopeLabel` made of the scope, where there are any. */
  readonly labels: MetricLabels;
}

export type MetricLabels = Readonly<Partial<Record<'operation' | 'effect' | 'scopeLabel', string>>>;

/**
 * Turns events into counters, for any metrics library.
 *
 * @example
 * ```ts
 * const hooks = { onEvent: countMetrics(({ name, value }) => statsd.increment(name, value)) };
 * ```
 */
export function countMetrics(count: (point: MetricPoint) => void): (event: EngineEvent) => void {
  return (event) => {
    const metric = metricOf(event);
    if (metric && metric.value > 0) count({ ...metric, labels: labelsOf(event) });
  };
}

function metricOf(event: EngineEvent): Omit<MetricPoint, 'labels'> | undefined {
  switch (event.kind) {
    case 'attempt-started':
      return one(event.attempt === 1 ? 'created' : 'failedRetry');
    case 'outcome-replayed':
      return one('replay');
    case 'attempt-refused': {
      const metric = refusals[event.code];
      return metric && one(metric);
    }
    case 'store-failed':
      return one('storeError');
    case 'lookup-started':
      return one('reconcileScheduled');
    case 'outcome-settled':
      return one('reconcileResolved');
    case 'lookup-failed':
      return one('reconcileFailed');
    case 'leases-swept':
      return { name: metricNames.zombieKey, value: event.released + event.unknown };
    case 'records-pruned':
      return { name: metricNames.ttlPruned, value: event.pruned };
    case 'attempt-completed':
    case 'attempt-released':
    case 'attempt-doubted':
    case 'attempt-fenced':
    case 'admission-failed':
    case 'answer-unavailable':
      return undefined;
  }
}

const refusals: Partial<Record<ErrorCode, keyof typeof metricNames>> = {
  IDEMPOTENCY_IN_PROGRESS: 'inProgress',
  // A reused key is a bug of a client or an attack: worth an alert of its own.
  IDEMPOTENCY_KEY_REUSED: 'keyMisuse',
  IDEMPOTENCY_OUTCOME_UNKNOWN: 'unknown',
};

function one(name: keyof typeof metricNames): Omit<MetricPoint, 'labels'> {
  return { name: metricNames[name], value: 1 };
}

function labelsOf(event: EngineEvent): MetricLabels {
  const { operation, effect, scopeLabel } = event as MetricLabels;
  return {
    ...(operation === undefined ? {} : { operation }),
    ...(effect === undefined ? {} : { effect }),
    ...(scopeLabel === undefined ? {} : { scopeLabel }),
  };
}
