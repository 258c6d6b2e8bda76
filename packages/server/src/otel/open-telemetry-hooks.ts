import { metrics, type Meter, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import type { EngineEvent } from '../hooks/engine-event.ts';
import type { EngineHooks } from '../hooks/engine-hooks.ts';
import { countMetrics, type MetricLabels, metricNames } from '../hooks/metrics.ts';

/** Options of `openTelemetryHooks`. */
export interface OpenTelemetryOptions {
  /** @defaultValue the global meter `@onceward/server` */
  meter?: Meter;
  /** @defaultValue the global tracer `@onceward/server` */
  tracer?: Tracer;
  /**
   * Names the kind of a scope, such as the plan or the shard of a tenant: then executions and
   * replays are counted by it, and the share of duplicates is known per kind. Few different values,
   * and nothing private.
   */
  scopeLabel?: (scope: string) => string | undefined;
}

/**
 * Counts and traces what an engine does, through OpenTelemetry.
 *
 * Keys are digests in spans and in no metric; scopes, inputs and answers are in neither.
 *
 * @example
 * ```ts
 * const engine = createEngine({ store, hooks: openTelemetryHooks() });
 * ```
 */
export function openTelemetryHooks({
  meter = metrics.getMeter(library),
  tracer = trace.getTracer(library),
  scopeLabel,
}: OpenTelemetryOptions = {}): EngineHooks {
  const counters = new Map(
    Object.values(metricNames).map((name) => [name, meter.createCounter(name)]),
  );
  const durations = meter.createHistogram(attemptDuration, {
    unit: 's',
    description: 'How long attempts executed, by how they ended',
    advice: { explicitBucketBoundaries: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] },
  });
  const count = countMetrics(({ name, value, labels }) => {
    counters.get(name)?.add(value, attributesOf(labels));
  });

  return {
    ...(scopeLabel ? { scopeLabel } : {}),
    onEvent(event) {
      count(event);
      const ending = endingOf(event);
      if (ending) durations.record(ending.durationMs / 1_000, ending.attributes);
    },
    trace: ({ name, attributes }, run) =>
      tracer.startActiveSpan(name, { attributes }, async (span) => {
        try {
          return await run();
        } catch (error) {
          // Its message may hold what a client sent, so only its name is kept.
          span.setStatus({ code: SpanStatusCode.ERROR, message: nameOf(error) });
          throw error;
        } finally {
          span.end();
        }
      }),
  };
}

const library = '@onceward/server';
const attemptDuration = 'api.idempotency.attempt.duration';

function attributesOf({ operation, effect, scopeLabel }: MetricLabels) {
  return {
    ...(operation === undefined ? {} : { 'idempotency.operation': operation }),
    ...(effect === undefined ? {} : { 'idempotency.effect': effect }),
    ...(scopeLabel === undefined ? {} : { 'idempotency.scope': scopeLabel }),
  };
}

function endingOf(event: EngineEvent) {
  switch (event.kind) {
    case 'attempt-completed':
    case 'attempt-released':
    case 'attempt-doubted':
    case 'attempt-fenced': {
      const { kind, durationMs, operation, effect } = event;
      const ending = kind.slice('attempt-'.length);
      const attributes = { ...attributesOf({ operation, effect }), 'idempotency.ending': ending };
      return { durationMs, attributes };
    }
    default:
      return undefined;
  }
}

function nameOf(error: unknown): string {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  if (typeof code === 'string') return code;
  return typeof name === 'string' ? name : 'Error';
}
