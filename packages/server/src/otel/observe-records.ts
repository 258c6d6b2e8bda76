import { type Meter, metrics } from '@opentelemetry/api';
import type { Store } from '@onceward/core/store';

/** Options of `observeRecords`. */
export interface ObserveRecordsOptions {
  store: Pick<Store, 'stats'>;
  /** @defaultValue the global meter `@onceward/server` */
  meter?: Meter;
}

/**
 * Reports how many records there are in each state, and how many leases ran out and were not swept,
 * whenever metrics are collected. A store may have to read all its records for that: let one process
 * do it, and not every second.
 *
 * Dispose of it to stop.
 */
export function observeRecords({
  store,
  meter = metrics.getMeter('@onceward/server'),
}: ObserveRecordsOptions): Disposable {
  const records = meter.createObservableGauge('api.idempotency.records', {
    description: 'Records in each state',
  });
  const staleLeases = meter.createObservableGauge('api.idempotency.stale_leases', {
    description: 'Leases that ran out and were not swept yet',
  });
  const observe: Parameters<Meter['addBatchObservableCallback']>[0] = async (result) => {
    const stats = await store.stats();
    for (const [state, count] of Object.entries(stats.records)) {
      result.observe(records, count, { 'idempotency.state': state });
    }
    result.observe(staleLeases, stats.staleLeases);
  };
  const observed = [records, staleLeases];
  meter.addBatchObservableCallback(observe, observed);
  return {
    [Symbol.dispose]: () => meter.removeBatchObservableCallback(observe, observed),
  };
}
