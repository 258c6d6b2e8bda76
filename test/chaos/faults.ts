import type pg from 'pg';
import type { CrashingPostgres } from '../services/postgres.ts';
import type { Fault as GatewayFault, FaultyGateway } from '../support/faulty-gateway.ts';
import { faults as gatewayFaults } from '../support/faulty-gateway.ts';
import { pick } from '../support/seeded-random.ts';
import { passes } from './customers.ts';
import { deathPoints, lineFates, type ServerSlot } from './server-slot.ts';

export interface Trouble {
  readonly slots: readonly ServerSlot[];
  readonly gateways: readonly FaultyGateway[];
  readonly postgres: CrashingPostgres;
  readonly admin: pg.Pool;
  readonly random: () => number;
  readonly over: () => boolean;
  readonly count: (fault: string) => void;
}

/** Everything that goes wrong, all at once, until it is over. */
export async function makeTrouble(trouble: Trouble): Promise<void> {
  const { slots, gateways } = trouble;
  for (const slot of slots) breakLine(slot, trouble);
  await Promise.all([
    ...gateways.map((gateway) => breakGateway(gateway, trouble)),
    ...slots.map((slot) => killServers(slot, trouble)),
    terminateBackends(trouble),
    crashPostgres(trouble),
  ]);
  for (const { wire } of slots) wire.onSending = () => 'arrives';
}

/** One of fifty things that are sent to the database meets something. */
function breakLine({ wire }: ServerSlot, { random, count }: Trouble): void {
  wire.onSending = () => {
    if (random() >= 0.02) return 'arrives';
    const fate = pick(lineFates, random);
    count(`line: ${fate}`);
    return fate;
  };
}

async function breakGateway(
  gateway: FaultyGateway,
  { random, over, count }: Trouble,
): Promise<void> {
  let seen = 0;
  while (!over()) {
    await passes(20);
    // About one of twelve requests.
    while (seen < gateway.requests.length) {
      seen++;
      if (random() >= 0.08) continue;
      const fault: GatewayFault = pick(gatewayFaults, random);
      gateway.failNext(fault);
      count(`gateway: ${fault}`);
    }
  }
}

/** Servers die, at a point or at any moment, and are replaced. */
async function killServers(slot: ServerSlot, { random, over, count }: Trouble): Promise<void> {
  while (!over()) {
    const point = random() < 0.7 ? pick(deathPoints, random) : undefined;
    await slot.start(point && { point, time: 1 + Math.floor(random() * 200) });
    const diedByItself = await slot.died(2_000 + random() * 4_000);
    if (over() && !diedByItself) return;
    await slot.kill();
    count(diedByItself ? `server: killed ${point}` : 'server: killed at any moment');
  }
}

async function terminateBackends({ admin, random, over, count }: Trouble): Promise<void> {
  while (!over()) {
    await passes(300 + random() * 700);
    const { rowCount } = await admin
      .query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where backend_type = 'client backend' and pid <> pg_backend_pid()
          order by random() limit 2`,
      )
      .catch(() => ({ rowCount: 0 }));
    for (let ended = 0; ended < (rowCount ?? 0); ended++) count('database: connection terminated');
  }
}

async function crashPostgres({ postgres, random, over, count }: Trouble): Promise<void> {
  for (;;) {
    for (let waited = 0; waited < 9_000 + random() * 6_000; waited += 100) {
      if (over()) return;
      await passes(100);
    }
    await postgres.stopImmediately();
    await postgres.restart();
    count('database: stopped at once, and recovered');
  }
}
