export { describeStore, type DescribeStoreOptions } from './describe-store.ts';
export type {
  EffectHarness,
  LosingCommits,
  OpenHarness,
  StoreHarness,
  TestApi,
} from './harness.ts';
