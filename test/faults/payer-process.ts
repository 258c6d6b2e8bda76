// One server that executes one intent, and hangs where it is told to.
import { postgresStore } from '@onceward/postgres';
import { createEngine, type ProbePoint } from '@onceward/server';
import pg from 'pg';
import { pay, type PaymentForm } from './payment.ts';

/** A point of the engine, or the middle of the effect: charged, and not committed or returned. */
export type HangPoint = ProbePoint | 'in-effect';

export interface Order {
  readonly url: string;
  readonly schema: string;
  readonly key: string;
  readonly form: PaymentForm;
  readonly hangAt: HangPoint;
  readonly leaseMs: number;
}

process.on('message', (order: Order) => void execute(order));

async function execute({ url, schema, key, form, hangAt, leaseMs }: Order): Promise<void> {
  const pool = new pg.Pool({ connectionString: url });
  const hang = (point: HangPoint): Promise<never> | undefined => {
    if (point !== hangAt) return undefined;
    process.send?.(point);
    return new Promise(() => {});
  };
  const engine = createEngine({ store: postgresStore(pool, { schema }), leaseMs, probe: hang });
  await pay({
    engine,
    key,
    form,
    charge: async (through = pool) => {
      await through.query(`insert into ${schema}.ledger values ($1::text)`, [key]);
      await hang('in-effect');
    },
  });
  process.send?.('finished');
}
