// One server that executes intents, and hangs where it is told to.
import { postgresStore } from '@onceward/postgres';
import { postgresOutbox } from '@onceward/postgres/outbox';
import { createEngine } from '@onceward/server';
import pg from 'pg';
import { chargeOf } from './charges.ts';
import type { ServerPlace } from './crash-matrix.ts';
import { parcelTasks } from './parcels.ts';
import { pay, type PaymentForm } from './payment.ts';

export interface Order {
  readonly url: string;
  readonly schema: string;
  readonly keys: readonly string[];
  readonly form: PaymentForm;
  readonly hangAt: ServerPlace;
  readonly leaseMs: number;
}

process.on('message', ({ keys, ...order }: Order) => {
  const pool = new pg.Pool({ connectionString: order.url });
  for (const key of keys) void execute(key, pool, order);
});

async function execute(
  key: string,
  pool: pg.Pool,
  { schema, form, hangAt, leaseMs }: Omit<Order, 'keys'>,
): Promise<void> {
  const hang = (point: ServerPlace): Promise<never> | undefined => {
    if (point !== hangAt) return undefined;
    process.send?.(point);
    return new Promise(() => {});
  };
  const engine = createEngine({ store: postgresStore(pool, { schema }), leaseMs, probe: hang });
  const outbox = postgresOutbox(pool, { tasks: parcelTasks, schema });
  const charge = chargeOf(key, { pool, schema });
  await pay({ engine, outbox, key, form, charge, inEffect: () => hang('in-effect') });
  await hang('answered');
}
