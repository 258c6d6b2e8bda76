const otel = 'packages/server/src/otel/';
const tests = [`${otel}otel.test.ts`];
const metrics = 'packages/server/src/hooks/';

/** @type {import('./runner/mutants.mjs').Mutant[]} */
export const mutants = [
  {
    name: 'the kind of a scope is not counted',
    file: `${otel}open-telemetry-hooks.ts`,
    find: "...(scopeLabel === undefined ? {} : { 'idempotency.scope': scopeLabel }),",
    replace: '...(scopeLabel === undefined ? {} : {}),',
    tests,
  },
  {
    name: 'a duration is told in milliseconds',
    file: `${otel}open-telemetry-hooks.ts`,
    find: 'ending.durationMs / 1_000',
    replace: 'ending.durationMs',
    tests,
  },
  {
    name: 'how an attempt ended is not told',
    file: `${otel}open-telemetry-hooks.ts`,
    find: "'idempotency.ending': ending }",
    replace: "'idempotency.ended': ending }",
    tests,
  },
  {
    name: 'the message of an error is in its span',
    file: `${otel}open-telemetry-hooks.ts`,
    find: 'message: nameOf(error) }',
    replace: 'message: nameOf(error) + String(error) }',
    tests,
  },
  {
    name: 'what a handler does is no child of its execution',
    file: `${otel}open-telemetry-hooks.ts`,
    find: 'tracer.startActiveSpan(name, { attributes }, async (span) => {',
    replace: 'Promise.resolve(tracer.startSpan(name, { attributes })).then(async (span) => {',
    tests,
  },
  {
    name: 'a span never ends',
    file: `${otel}open-telemetry-hooks.ts`,
    find: '          span.end();\n',
    replace: '          span.isRecording();\n',
    tests,
  },
  {
    name: 'records are counted for ever',
    file: `${otel}observe-records.ts`,
    find: '[Symbol.dispose]: () => meter.removeBatchObservableCallback(observe, observed),',
    replace: '[Symbol.dispose]: () => meter.addBatchObservableCallback(observe, []),',
    tests,
  },
  {
    name: 'records are counted without their state',
    file: `${otel}observe-records.ts`,
    find: "{ 'idempotency.state': state }",
    replace: "{ 'idempotency.kind': state }",
    tests,
  },
  {
    name: 'a metric of the dashboard has another name',
    file: `${metrics}metrics.ts`,
    find: "'api.idempotency.reconcile.resolved.count'",
    replace: "'api.idempotency.reconcile.settled.count'",
    tests: ['test/monitoring/monitoring.test.ts'],
  },
];
