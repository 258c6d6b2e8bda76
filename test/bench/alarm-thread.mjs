// Sleeps on behalf of alarm.ts, for less than the millisecond that a timer takes at least.
import { parentPort, workerData } from 'node:worker_threads';

/** @type {{ isSet: Int32Array, at: Float64Array }} */
const { isSet, at } = workerData;
const never = new Int32Array(new SharedArrayBuffer(4));

for (;;) {
  Atomics.wait(isSet, 0, 0);
  if (Atomics.load(isSet, 0) < 0) break;
  const leftMs = (at[0] ?? 0) - Number(process.hrtime.bigint()) / 1e6;
  if (leftMs > 0) Atomics.wait(never, 0, 0, leftMs);
  Atomics.store(isSet, 0, 0);
  parentPort?.postMessage('due');
}
