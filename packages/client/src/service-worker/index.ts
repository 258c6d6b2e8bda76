export {
  deliverOnBackgroundSync,
  type DeliverOnBackgroundSyncOptions,
  type JournalToDeliver,
} from './deliver-on-background-sync.ts';
export {
  deliverPending,
  type DeliverPendingOptions,
  type PendingJournal,
} from './deliver-pending.ts';
export {
  registerBackgroundSync,
  type RegisterBackgroundSyncOptions,
  type SyncRegistration,
  type WatchedJournal,
} from './register-background-sync.ts';
