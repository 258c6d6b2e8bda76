import { join } from 'node:path';
import { formatKeyHeader, type IdempotencyKey, mintKey } from '@onceward/core';
import { migrate, postgresOperator, postgresStore } from '@onceward/postgres';
import { createMaintenance } from '@onceward/server';
import pg from 'pg';
import { createProvider as withKeys } from '../../examples/payments-with-keys/src/provider.ts';
import { createProvider as withoutKeys } from '../../examples/payments-without-keys/src/provider.ts';
import { bundleProgram } from '../support/node-process.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { type CrashSite, crashSites, openSlot, type Slot } from './crashing-slot.ts';
import type { Example } from './shop-process.ts';

export interface CrashOptions {
  readonly example: Example;
  readonly crashes: number;
  /** An empty database. */
  readonly databaseUrl: string;
  /** Decides where servers die, but not how fast they run. */
  readonly seed: number;
  readonly onCrash?: (crashes: number) => void;
}

export interface CrashReport {
  readonly crashes: Readonly<Record<CrashSite, number>>;
  readonly orders: number;
  /** How many orders were charged how often. */
  readonly charges: Readonly<Record<number, number>>;
  /** Orders whose answer does not name the charge of the provider. */
  readonly wrongAnswers: number;
  /** Answers to requests, by their status; 0 for those that were lost with their server. */
  readonly answers: Readonly<Record<number, number>>;
  /** What the audit trail says of unknown outcomes: `settle: executed`, `settle: not-executed`. */
  readonly settled: Readonly<Record<string, number>>;
  /** Records that are in progress or unknown at the end, after a sweep. */
  readonly unfinished: number;
}

/** Customers who do not know yet. */
const maxWaiting = 60;
const requestsAtOnce = 6;

/**
 * Customers pay at the servers of an example, which are killed with -9 all the time.
 *
 *   customers ──one key each, until it is answered──▶ two servers ──▶ a provider, which counts
 *                                                      die, and are replaced
 */
export async function crashPayments(options: CrashOptions): Promise<CrashReport> {
  const { example, databaseUrl } = options;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  pool.on('error', () => undefined);
  using program = await bundleProgram(join(import.meta.dirname, 'shop-process.ts'), {
    whole: true,
  });
  try {
    await migrate(pool);
    const provider = example === 'payments-with-keys' ? withKeys() : withoutKeys();
    const random = seededRandom(options.seed);
    const openOne = () => openSlot({ program, example, databaseUrl, provider, random });
    await using first = await openOne();
    await using second = await openOne();
    const slots = [first, second];

    let over = false;
    const crashing = crashAll(slots, options).finally(() => (over = true));
    const paying = payUntilOver({ slots, random, over: () => over });
    const [crashes, paid] = await Promise.all([crashing, paying]);
    return { crashes, ...(await judge(paid, { pool, charges: provider.charges })) };
  } finally {
    await pool.end();
  }
}

/** Servers die, one after the other in each slot, until there were enough; the last ones live. */
async function crashAll(
  slots: readonly Slot[],
  { crashes, onCrash }: CrashOptions,
): Promise<CrashReport['crashes']> {
  const counts = Object.fromEntries(crashSites.map((site) => [site, 0])) as Record<
    CrashSite,
    number
  >;
  let begun = 0;
  let ended = 0;
  const crash = async (slot: Slot) => {
    while (begun++ < crashes) {
      counts[await slot.crash()]++;
      onCrash?.(++ended);
    }
    await slot.start();
  };
  await Promise.all(slots.map(crash));
  return counts;
}

interface Shop {
  readonly slots: readonly Slot[];
  readonly random: () => number;
  readonly over: () => boolean;
}

interface Paid {
  /** The charge that each order was answered with. */
  readonly orders: ReadonlyMap<string, string>;
  readonly answers: Record<number, number>;
}

interface Order {
  readonly orderId: string;
  readonly key: IdempotencyKey;
  /** When its customer asks again. */
  dueAt: number;
}

/**
 * Customers come all the time, and each of them asks until they know that they have paid. A few
 * requests at a time, or every server would die of its first one.
 */
async function payUntilOver(shop: Shop): Promise<Paid> {
  const orders = new Map<string, string>();
  const answers: Record<number, number> = {};
  const waiting: Order[] = [];
  let number = 0;

  const nextOrder = (): Order | undefined => {
    const due = waiting.findIndex(({ dueAt }) => dueAt <= Date.now());
    if (due >= 0) return waiting.splice(due, 1)[0];
    if (shop.over() || waiting.length >= maxWaiting) return undefined;
    return { orderId: `order ${++number}`, key: mintKey(), dueAt: 0 };
  };
  let lastMoveAt = Date.now();
  const send = async () => {
    while (!shop.over() || orders.size < number) {
      if (Date.now() > lastMoveAt + 60_000) throw new Error('Nobody could pay for a minute');
      const order = nextOrder();
      if (!order) {
        await passes(10);
        continue;
      }
      const { status, chargeId } = await pay(order, shop);
      answers[status] = (answers[status] ?? 0) + 1;
      if (chargeId !== undefined) {
        orders.set(order.orderId, chargeId);
        lastMoveAt = Date.now();
      } else waiting.push({ ...order, dueAt: Date.now() + 100 + shop.random() * 200 });
    }
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, send));
  return { orders, answers };
}

function passes(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Sends a payment once, to one of the servers. */
async function pay(
  { orderId, key }: Order,
  { slots, random }: Shop,
): Promise<{ status: number; chargeId?: string }> {
  const url = await slots[random() < 0.5 ? 0 : 1]?.url();
  try {
    const response = await fetch(`${url}/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': formatKeyHeader(key) },
      body: JSON.stringify({ orderId, cents: 1200 }),
      signal: AbortSignal.timeout(5_000),
    });
    const body = await response.json();
    return { status: response.status, chargeId: body.result?.data?.chargeId };
  } catch {
    return { status: 0 };
  }
}

async function judge(
  { orders, answers }: Paid,
  { pool, charges }: { pool: pg.Pool; charges: readonly { id: string; orderId: string }[] },
): Promise<Omit<CrashReport, 'crashes'>> {
  const counts: Record<number, number> = {};
  let wrongAnswers = 0;
  for (const [orderId, chargeId] of orders) {
    const found = charges.filter((charge) => charge.orderId === orderId);
    counts[found.length] = (counts[found.length] ?? 0) + 1;
    if (!found.some(({ id }) => id === chargeId)) wrongAnswers++;
  }
  const store = postgresStore(pool);
  await createMaintenance({ store }).sweep();
  const { records } = await store.stats();
  return {
    orders: orders.size,
    charges: counts,
    wrongAnswers,
    answers,
    settled: await settlements(pool),
    unfinished: records['in-progress'] + records.unknown,
  };
}

async function settlements(pool: pg.Pool): Promise<Record<string, number>> {
  const operator = postgresOperator(pool);
  const settled: Record<string, number> = {};
  let cursor: string | undefined;
  do {
    const page = await operator.audit({ limit: 500, cursor });
    for (const { action } of page.entries) settled[action] = (settled[action] ?? 0) + 1;
    ({ cursor } = page);
  } while (cursor !== undefined);
  return settled;
}
