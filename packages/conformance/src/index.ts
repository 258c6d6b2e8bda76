export { describeStore, type DescribeStoreOptions } from './describe-store.ts';
export type {
  EffectHarness,
  LosingCommits,
  OpenHarness,
  StoreHarness,
  TestApi,
} from './harness.ts';
export { describeJournalStore } from './journal/describe-journal-store.ts';
export type { JournalHarness, OpenJournalHarness } from './journal/harness.ts';
