// A payments server in a process of its own, which hangs where it is told to, to be killed there.
import { postgresStore } from '@onceward/postgres';
import pg from 'pg';
import { createPayments } from './payments.ts';
import { serveHttp, serveSockets } from './serve-payments.ts';

export interface PaymentsOrder {
  readonly url: string;
  readonly schema: string;
  readonly transport: 'http' | 'sockets';
  readonly port: number;
  readonly hangAt: 'in the handler' | 'after the commit' | 'nowhere';
}

process.on('message', (order: PaymentsOrder) => void serve(order));

async function serve({ url, schema, transport, port, hangAt }: PaymentsOrder): Promise<void> {
  const pool = new pg.Pool({ connectionString: url });
  const hang = (point: string) => {
    if (point !== hangAt) return;
    process.send?.('hanging');
    return new Promise<void>(() => {});
  };
  const payments = createPayments({
    store: postgresStore(pool, { schema }),
    async record(effect, through = pool) {
      await through.query(`insert into ${schema}.ledger values ($1::text)`, [effect]);
    },
    inHandler: () => hang('in the handler'),
    probe: (point) => (point === 'after-complete' ? hang('after the commit') : undefined),
  });
  await (transport === 'http' ? serveHttp : serveSockets)(payments, port);
  process.send?.('serving');
}
