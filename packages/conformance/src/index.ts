export { describeStore, type DescribeStoreOptions } from './describe-store.ts';
export type { EffectHarness, OpenHarness, StoreHarness, TestApi } from './harness.ts';
