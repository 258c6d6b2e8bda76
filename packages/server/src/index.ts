export { type AnswerCodec, jsonCodec, ReplayedError } from './answers/answer-codec.ts';
export type { EncryptionKey, EncryptionOptions } from './answers/answer-cipher.ts';
export type { HandlerResult } from './answers/answer-format.ts';
export { type DescribedAnswer, describeAnswer } from './answers/describe-answer.ts';
export type { AttemptContext } from './attempts/attempt-context.ts';
export type { Effect, ErrorClass } from './effect.ts';
export {
  createEngine,
  type EffectOn,
  type Engine,
  type Handler,
  type Mutation,
  type RunResult,
} from './engine.ts';
export { evidenceFromText } from './evidence-from-text.ts';
export type { FingerprintOptions } from './fingerprint/fingerprint.ts';
export { rawInput, type RawInput } from './fingerprint/raw-input.ts';
export type { FingerprintSecret } from './fingerprint/secrets.ts';
export type { EngineEvent } from './hooks/engine-event.ts';
export type { Admission, AdmissionRequest, EngineHooks, TraceSpan } from './hooks/engine-hooks.ts';
export { countMetrics, type MetricName, metricNames, type MetricPoint } from './hooks/metrics.ts';
export type { Intent } from './intent.ts';
export {
  createMaintenance,
  type Maintenance,
  type MaintenanceOptions,
} from './maintenance/maintenance.ts';
export { type MemoryStore, memoryStore, type MemoryStoreOptions } from './memory/memory-store.ts';
export type { OpenIntent } from './open-intent.ts';
export type { EngineOptions } from './options/engine-options.ts';
export type { InProgressMode, InProgressOptions } from './options/in-progress.ts';
export type { MutationOptions, StoreRequirement } from './options/mutation-options.ts';
export type { Probe, ProbePoint } from './probe.ts';
export type { QuotaOptions } from './quota/scope-quota.ts';
export {
  createReconciler,
  type ReconcileReport,
  type Reconciler,
  type ReconcilerOptions,
} from './reconcile/reconciler.ts';
export type { Finding, Resolve, UnknownIntent } from './reconcile/resolve.ts';
export type { IntentResult } from './run-intent.ts';
export type { Evidence } from './settle-intent.ts';
export { settleUnknown, type SettleUnknownOptions } from './settle-unknown.ts';
export type {
  OutsideStep,
  Step,
  StepContext,
  TransactionStep,
  TransactionStepContext,
} from './steps/step-runner.ts';
