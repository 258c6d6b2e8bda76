// Customers of the shop, in a process of their own: there are several, and each takes its turn.
import type { IdempotencyKey } from '@onceward/core';
import { seededRandom } from '../support/seeded-random.ts';
import { type ChaosIntent, letCustomersIn } from './customers.ts';
import { openEntrances } from './entrances.ts';
import { settleAll } from './settle-all.ts';

/** What customers are told. */
export type CustomersOrder =
  /** For what comes next. */
  | { readonly kind: 'wait' }
  | {
      readonly kind: 'shop';
      readonly seed: number;
      readonly customers: number;
      readonly servers: number;
      readonly redis: boolean;
    }
  | { readonly kind: 'ports'; readonly ports: readonly (number | null)[] }
  /** Everybody finishes what they are at. */
  | { readonly kind: 'stop' }
  /** All is well again: everything is sent once more. */
  | { readonly kind: 'settle' };

/** What they say: what happened since they last said so, and in the end everything. */
export type CustomersWord =
  | {
      readonly kind: 'progress';
      readonly intents: number;
      readonly settled: number;
      readonly faults: Readonly<Record<string, number>>;
      readonly statuses: Readonly<Record<number, number>>;
    }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'settled'; readonly intents: readonly SettledIntent[] };

export type SettledIntent = ChaosIntent & {
  /** Whether it was answered while there was chaos. */
  readonly acknowledged: boolean;
  /** There is no answer to be had: the status instead. */
  readonly stuckAt: number | undefined;
  /** For one that went through a journal: whether it is in there, and what it was sent under. */
  readonly onDevice?: {
    readonly persisted: boolean;
    readonly keys: ReadonlySet<IdempotencyKey>;
  };
};

process.on('disconnect', () => process.exit());
process.on('message', (order: CustomersOrder) => {
  if (order.kind === 'shop') void open(order);
});

async function open({
  seed,
  customers,
  servers,
  redis,
}: Extract<CustomersOrder, { kind: 'shop' }>): Promise<void> {
  const say = (word: CustomersWord) => process.send?.(word);
  const random = seededRandom(seed);
  let faults: Record<string, number> = {};
  const opening = openEntrances(servers, random, (fault) => {
    faults[fault] = (faults[fault] ?? 0) + 1;
  });
  process.on('message', (order: CustomersOrder) => {
    if (order.kind !== 'ports') return;
    void opening.then(({ lead }) => lead(order.ports.map((to) => to ?? undefined)));
  });
  const entrances = await opening;
  let over = false;
  let settled = 0;
  const port = () => entrances.port();
  const shop = letCustomersIn({ port, random, over: () => over, customers, redis });
  const tell = () => {
    say({
      kind: 'progress',
      intents: shop.intents.length,
      settled,
      faults,
      statuses: shop.statuses,
    });
    faults = {};
  };
  const telling = setInterval(tell, 500);
  process.on('message', (order: CustomersOrder) => {
    if (order.kind === 'stop') {
      over = true;
      void shop.done.then(() => {
        entrances.heal();
        tell();
        say({ kind: 'stopped' });
      });
    }
    if (order.kind === 'settle') {
      void settleAll(shop.intents, { port, onSettled: () => settled++ }).then((intents) => {
        clearInterval(telling);
        say({ kind: 'settled', intents });
      });
    }
  });
}
