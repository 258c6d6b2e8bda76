export { observeRecords, type ObserveRecordsOptions } from './observe-records.ts';
export { openTelemetryHooks, type OpenTelemetryOptions } from './open-telemetry-hooks.ts';
