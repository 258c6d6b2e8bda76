// One relay that runs jobs until it is killed, and hangs where it is told to.
import { postgresOutbox, createRelay, type RelayProbePoint } from '@onceward/postgres/outbox';
import pg from 'pg';
import { parcelHandler, type ParcelForm, parcelTasks } from './parcels.ts';

/** A point of the relay, or the middle of the effect: written, and not committed or returned. */
export type RelayHangPoint = RelayProbePoint | 'in-effect';

export interface RelayOrder {
  readonly url: string;
  readonly schema: string;
  readonly form: ParcelForm;
  readonly leaseMs: number;
  /** Absent: it does not hang. */
  readonly hangAt?: RelayHangPoint;
}

process.on('message', (order: RelayOrder) => execute(order));

function execute({ url, schema, form, leaseMs, hangAt }: RelayOrder): void {
  const pool = new pg.Pool({ connectionString: url, max: 6 });
  pool.on('error', () => undefined);
  const hang = (point: RelayHangPoint): Promise<never> | undefined => {
    if (point !== hangAt) return undefined;
    process.send?.(point);
    return new Promise(() => {});
  };
  // Long enough to be killed in the middle of it.
  const after = () => hang('in-effect') ?? new Promise((resolve) => setTimeout(resolve, 60));
  createRelay({
    outbox: postgresOutbox(pool, { tasks: parcelTasks, schema }),
    handlers: { ship: parcelHandler({ pool, schema, form, after }) },
    leaseMs,
    pollMs: 50,
    concurrency: 4,
    backoff: { firstMs: 50, maxMs: 100 },
    probe: hang,
  }).start();
  process.send?.('started');
}
