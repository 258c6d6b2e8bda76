export type { Awaitable } from './awaitable.ts';
export type { Outcome, UnavailableReason } from './outcome.ts';
export type {
  FencingToken,
  Fingerprint,
  Lease,
  RecordName,
  RecordState,
  RecordSummary,
  StaleLeasePolicy,
} from './record.ts';
export type {
  PutOff,
  ReconcilingStore,
  TakeUnknownRequest,
  UnknownRecord,
} from './reconciling-store.ts';
export type {
  Completion,
  NotReserved,
  Reservation,
  Reserved,
  ReserveRequest,
  Retention,
} from './reservation.ts';
export type {
  AtomicDecision,
  AtomicResult,
  Audit,
  CompletionResult,
  StepResult,
  MaintenancePage,
  PruneReport,
  Settlement,
  Store,
  StoreCapabilities,
  StoreStats,
  SweepReport,
  TransactionalStore,
} from './store.ts';
