import { again, granted, newRequest } from '@onceward/conformance/requests';
import type { AtomicResult } from '@onceward/core/store';
import { expect, test } from 'vitest';
import { openPool } from '../open-schema.ts';
import type { Admin, AtomicDriver } from './atomic-driver.ts';
import { expectTogether } from './handler-mistakes.ts';
import { type Fate } from '../../../../test/support/postgres-wire.ts';
import { watchUncaughtErrors } from './uncaught-errors.ts';
import { isCommit, openShop, type Shop } from './open-shop.ts';

export function describeBrokenConnections(driver: AtomicDriver, admin: Admin): void {
  for (const fate of ['is-lost', 'is-not-answered'] as const) {
    testSurviving(
      `on which something ${fate.replaceAll('-', ' ')}, whatever it is, parts no key from its effect`,
      async () => {
        const moments = await sendings(driver, admin);
        expect(moments).toBeGreaterThan(2);
        for (let moment = 0; moment < moments; moment++) {
          await using shop = await openShop(driver, admin);
          await breakAt(shop, moment, fate);
        }
      },
      60_000,
    );
  }

  testSurviving(
    'that the server ends while the handler waits for something else undoes both',
    async () => {
      await using shop = await openShop(driver, admin);
      const request = newRequest();
      const result = await settled(
        shop.pay(request, async (transaction) =>
          terminate(admin, await backendOf(shop, transaction)),
        ),
      );
      expect(result).not.toEqual({ kind: 'committed' });
      await expectTogether(shop, request, result);
      await expectRecovery(shop, request);
    },
  );

  testSurviving('that the server ends during a statement undoes both', async () => {
    await using shop = await openShop(driver, admin);
    const request = newRequest();
    const result = await settled(
      shop.pay(request, async (transaction) => {
        const backend = await backendOf(shop, transaction);
        const statement = shop.library.execute(transaction, 'select pg_sleep(10)');
        statement.catch(() => undefined);
        await until(
          admin,
          `select 1 from pg_stat_activity where pid = ${backend} and wait_event = 'PgSleep'`,
        );
        await terminate(admin, backend);
        await statement;
      }),
    );
    expect(result).not.toEqual({ kind: 'committed' });
    await expectTogether(shop, request, result);
    await expectRecovery(shop, request);
  });

  testSurviving('that the server ends, which the handler ignores, undoes both', async () => {
    await using shop = await openShop(driver, admin);
    const request = newRequest();
    const result = await settled(
      shop.pay(request, async (transaction) => {
        await terminate(admin, await backendOf(shop, transaction));
        const late = async () => shop.write(transaction, request.key);
        await late().catch(() => undefined);
        await late().catch(() => undefined);
      }),
    );
    await expectTogether(shop, request, result);
    await expectRecovery(shop, request);
  });

  testSurviving('that the server ends during COMMIT undoes both', async () => {
    await using shop = await openShop(driver, admin);
    await makeCommitsSlow(admin, shop.schema, 0.5);
    const request = newRequest();
    let backend = 0;
    const paying = settled(
      shop.pay(request, async (transaction) => void (backend = await backendOf(shop, transaction))),
    );
    await until(
      admin,
      `select 1 from pg_stat_activity where wait_event = 'PgSleep' and pid = `,
      () => backend,
    );
    await terminate(admin, backend);
    const result = await paying;
    await expectTogether(shop, request, result);
    expect(await shop.count(request.key)).toBe(0);
    await admin.query(`drop trigger slow on "${shop.schema}".effects`);
    await expectRecovery(shop, request);
  });

  testSurviving(
    'that breaks while COMMIT is still being done is waited for, not guessed',
    async () => {
      await using shop = await openShop(driver, admin);
      await makeCommitsSlow(admin, shop.schema, 0.4);
      const request = newRequest();
      let sent = false;
      shop.wire.onSending = ({ texts }) => {
        if (sent || !texts.some(isCommit)) return 'arrives';
        sent = true;
        return 'is-cut-off';
      };
      expect(await settled(shop.pay(request))).toEqual({ kind: 'committed' });
      expect(await shop.count(request.key)).toBe(1);
    },
  );

  testSurviving(
    'on which COMMIT does ROLLBACK undoes both, whatever the library makes of it',
    async () => {
      await using shop = await openShop(driver, admin);
      const { store } = shop;
      // A statement that nobody waited for fails at the last moment.
      shop.wire.onSending = ({ texts }) =>
        texts.some(isCommit) ? 'comes-after-a-failure' : 'arrives';
      const request = newRequest();
      const result = await shop.pay(request);
      expect(result.kind).toBe('rolled-back');
      await expectTogether(shop, request, result);

      const { lease } = granted(await store.reserve(newRequest()));
      const step = await store.transactStep(lease, async (transaction) => {
        await shop.write(transaction, lease.key);
        return new Uint8Array([1]);
      });
      expect(step.kind).toBe('rolled-back');
      expect(await shop.count(lease.key)).toBe(0);
    },
  );

  testSurviving(
    'whose statements may take only so long undoes both, be it ours or the handler’s',
    async () => {
      await using shop = await openShop(driver, admin, { settings: '-c statement_timeout=100ms' });
      const inHandler = newRequest();
      const slow = shop.pay(inHandler, (transaction) =>
        shop.library.execute(transaction, 'select pg_sleep(5)'),
      );
      await expectTogether(shop, inHandler, await settled(slow));

      const inCompletion = newRequest();
      await using single = openPool({ max: 1 });
      await single.query('begin');
      await single.query(`lock table "${shop.schema}".records in share mode`);
      const result = await settled(shop.pay(inCompletion));
      expect(result).toBe('rejected');
      await expectTogether(shop, inCompletion, result);
    },
  );
}

/** A test in which nothing may be thrown where nobody can catch it: that would end the process. */
function testSurviving(name: string, body: () => Promise<void>, timeout = 30_000): void {
  test(
    name,
    async () => {
      using uncaught = watchUncaughtErrors();
      await body();
      expect(await uncaught.seen()).toEqual([]);
    },
    timeout,
  );
}

async function breakAt(shop: Shop, moment: number, fate: Fate): Promise<void> {
  // Everything is connected and parsed, so that the same things are sent as were counted.
  await shop.pay(newRequest());
  shop.wire.reset();
  shop.wire.onSending = ({ number }) => (number === moment ? fate : 'arrives');
  const request = newRequest();
  const result = await settled(shop.pay(request));
  await expectTogether(shop, request, result);
  await expectRecovery(shop, request);
}

/** How many times one mutation sends something. */
async function sendings(driver: AtomicDriver, admin: Admin): Promise<number> {
  await using shop = await openShop(driver, admin);
  await shop.pay(newRequest());
  let count = 0;
  shop.wire.reset();
  shop.wire.onSending = ({ number }) => {
    count = number + 1;
    return 'arrives';
  };
  await shop.pay(newRequest());
  return count;
}

/** The next attempt finds out, and executes if nobody has. */
async function expectRecovery(shop: Shop, request: ReturnType<typeof newRequest>): Promise<void> {
  const { kind } = await shop.pay(again(request));
  expect(['committed', 'completed']).toContain(kind);
  expect(await shop.count(request.key)).toBe(1);
}

async function settled(result: Promise<AtomicResult>): Promise<AtomicResult | 'rejected'> {
  return result.catch(() => 'rejected' as const);
}

async function backendOf(shop: Shop, transaction: unknown): Promise<number> {
  const [row] = await shop.library.execute(transaction, 'select pg_backend_pid()::text as pid');
  return Number((row as { pid: string }).pid);
}

/** Ends the backend, and waits until it is gone and its client had the time to notice. */
async function terminate(admin: Admin, backend: number): Promise<void> {
  await admin.query('select pg_terminate_backend($1)', [backend]);
  await until(
    admin,
    `select 1 where not exists (select from pg_stat_activity where pid = ${backend})`,
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
}

async function until(
  admin: Admin,
  text: string,
  parameter: () => number | '' = () => '',
): Promise<void> {
  for (;;) {
    const { rows } = await admin.query(`${text}${parameter()}`);
    if (rows.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A trigger that runs at COMMIT and takes its time. */
async function makeCommitsSlow(admin: Admin, schema: string, seconds: number): Promise<void> {
  await admin.query(
    `create function "${schema}".wait() returns trigger language plpgsql as
       $$ begin perform pg_sleep(${seconds}); return null; end $$`,
  );
  await admin.query(
    `create constraint trigger slow after insert on "${schema}".effects
       deferrable initially deferred for each row execute function "${schema}".wait()`,
  );
}
