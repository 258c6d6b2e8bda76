// One server that executes one intent and stops, or hangs, where it is told to.
import { migrate, postgresStore } from '@onceward/postgres';
import { createEngine, type ProbePoint } from '@onceward/server';
import pg from 'pg';

interface Order {
  readonly url: string;
  readonly schema: string;
  readonly key: string;
  readonly effect: 'atomic' | 'steps' | 'external' | 'natural';
  readonly hangAt: ProbePoint;
  readonly leaseMs: number;
}

process.on('message', (order: Order) => void pay(order));

async function pay({ url, schema, key, effect, hangAt, leaseMs }: Order): Promise<void> {
  const pool = new pg.Pool({ connectionString: url });
  await migrate(pool, { schema });
  const engine = createEngine({
    store: postgresStore(pool, { schema }),
    leaseMs,
    probe: (point) => {
      if (point !== hangAt) return undefined;
      process.send?.(point);
      return new Promise(() => {});
    },
  });
  const ledger = `insert into ${schema}.ledger values ($1::text)`;
  const intent = { scope: 'alice', key, input: { amount: 100 } };
  switch (effect) {
    case 'atomic':
      await engine
        .mutation({ operation: 'pay', effect })
        .runOnce(intent, ({ tx }) => tx.query(ledger, [key]).then(() => 'paid'));
      break;
    case 'steps':
      await engine.mutation({ operation: 'pay', effect }).runOnce(intent, async ({ step }) => {
        await step('charge', () => pool.query(ledger, [key]).then(() => 'charged'));
        return 'paid';
      });
      break;
    case 'external':
    case 'natural':
      await engine
        .mutation({ operation: 'pay', effect })
        .runOnce(intent, () => pool.query(ledger, [key]).then(() => 'paid'));
  }
  process.send?.('finished');
}
