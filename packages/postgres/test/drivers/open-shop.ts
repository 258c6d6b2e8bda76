import type { EffectHarness, StoreHarness } from '@onceward/conformance';
import { success } from '@onceward/conformance/requests';
import type {
  AtomicDecision,
  AtomicResult,
  ReserveRequest,
  TransactionalStore,
} from '@onceward/core/store';
import { inject } from 'vitest';
import { migrate } from '../../src/migrate.ts';
import { postgresStore } from '../../src/postgres-store.ts';
import { newSchemaName } from '../open-schema.ts';
import type { Admin, AtomicDriver, OpenedDriver, OpenOptions } from './atomic-driver.ts';
import { openWire, type Wire } from '../../../../test/support/postgres-wire.ts';

/** A store over one library, with a table `effects` beside the records and a wire to cut. */
export interface Shop extends AsyncDisposable {
  readonly store: TransactionalStore<unknown>;
  readonly schema: string;
  readonly library: OpenedDriver;
  readonly wire: Wire;
  /** Runs an atomic mutation that writes one effect, named after its key, and then does this. */
  pay(request: ReserveRequest, andThen?: AndThen): Promise<AtomicResult>;
  write(transaction: unknown, effect: string): Promise<void>;
  count(effect: string): Promise<number>;
}

export type AndThen = (transaction: unknown) => Promise<unknown>;

export interface ShopOptions extends Partial<Omit<OpenOptions, 'schema'>> {
  /** For the session: `-c statement_timeout=50`. */
  readonly settings?: string;
}

export async function openShop(
  driver: AtomicDriver,
  admin: Admin,
  { max = 4, customised = false, settings }: ShopOptions = {},
): Promise<Shop> {
  const schema = newSchemaName();
  await migrate(admin.driver, { schema });
  await admin.query(
    `create table "${schema}".effects
       (effect text not null, id uuid primary key default gen_random_uuid())`,
  );
  const wire = await openWire(inject('postgresUrl'));
  const url = new URL(wire.url);
  if (settings !== undefined) url.searchParams.set('options', settings);
  const library = await driver.open(url.href, { schema, max, customised });
  const store = postgresStore(library.driver, { schema }) as TransactionalStore<unknown>;
  const write = (transaction: unknown, effect: string) => library.write(transaction, effect);
  return {
    ...{ store, schema, library, wire, write },
    pay: (request, andThen) =>
      store.transact(request, async (transaction) => {
        await write(transaction, request.key);
        await andThen?.(transaction);
        return committing;
      }),
    count: (effect) => countEffects(admin, schema, effect),
    async [Symbol.asyncDispose]() {
      await library[Symbol.asyncDispose]();
      await wire[Symbol.asyncDispose]();
      await admin.query(`drop schema "${schema}" cascade`);
    },
  };
}

/** The same, for the suite that any store must pass. */
export async function openStoreHarness(driver: AtomicDriver, admin: Admin): Promise<StoreHarness> {
  const shop = await openShop(driver, admin, { max: 8 });
  const { schema } = shop;
  const lines = await Promise.all([
    openLosingLine(driver, schema, 'is-not-answered'),
    openLosingLine(driver, schema, 'is-lost'),
  ]);
  const [answer, request] = lines.map(({ store }) => store);
  if (!answer || !request) throw new Error('There are two lines');
  const effects: EffectHarness = { ...shop, losingCommits: { answer, request } };
  return {
    store: shop.store,
    effects,
    elapse: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    async [Symbol.asyncDispose]() {
      for (const line of lines) await line[Symbol.asyncDispose]();
      await shop[Symbol.asyncDispose]();
    },
  };
}

/** The same records, through a line that breaks when a handler's transaction commits. */
async function openLosingLine(
  driver: AtomicDriver,
  schema: string,
  fate: 'is-lost' | 'is-not-answered',
) {
  const wire = await openWire(inject('postgresUrl'));
  const library = await driver.open(wire.url, { schema, max: 2, customised: false });
  wire.onSending = ({ texts }) => (texts.some(isCommit) ? fate : 'arrives');
  return {
    store: postgresStore(library.driver, { schema }) as TransactionalStore<unknown>,
    async [Symbol.asyncDispose]() {
      await library[Symbol.asyncDispose]();
      await wire[Symbol.asyncDispose]();
    },
  };
}

export function isCommit(text: string): boolean {
  return /^\s*commit\b/i.test(text);
}

export const committing: AtomicDecision = { kind: 'commit', completion: success() };

async function countEffects(admin: Admin, schema: string, effect: string): Promise<number> {
  const { rows } = await admin.query(
    `select count(*)::int as count from "${schema}".effects where effect = $1`,
    [effect],
  );
  return (rows[0] as { count: number }).count;
}
