import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { deferred } from '../../../../../test/support/deferred.ts';
import { committed, openOutbox, type OpenOutbox } from '../../../test/open-outbox.ts';
import { openPool } from '../../../test/open-schema.ts';
import { pgSender } from '../../database/pg-pool.ts';
import { finishJob } from '../sql/finish-job.ts';
import { handLanesOn } from '../sql/hand-lanes-on.ts';
import { placeInLanes } from '../sql/place-in-lanes.ts';
import { reviveJobs } from '../sql/revive-jobs.ts';
import { takeJobs } from '../sql/take-jobs.ts';

const pool = openPool({ max: 16 });
afterAll(() => pool.end());

describe('jobs of one lane', () => {
  test('run one after the other, in the order in which they were committed', async () => {
    await using opened = await openOutbox(pool);
    const { ship, relay } = opened;
    const lanes = ['a', 'b', 'c'];
    for (let parcel = 0; parcel < 5; parcel++) for (const lane of lanes) await ship(lane, parcel);
    const log = shippingLog();
    await relay({ ship: log.ship }).drain();
    for (const lane of lanes) expect(log.parcels(lane)).toEqual([0, 1, 2, 3, 4]);
    expect(log.overlaps).toEqual([]);
  });

  test('run at the same time as those of other lanes', async () => {
    await using opened = await openOutbox(pool);
    const { ship, relay } = opened;
    await ship('a', 1);
    await ship('b', 1);
    const both = deferred();
    let running = 0;
    await relay({
      ship: () => {
        if (++running === 2) both.resolve();
        return both.promise;
      },
    }).drain();
    expect(running).toBe(2);
  });

  test('wait for one that fails until it is done', async () => {
    await using opened = await openOutbox(pool);
    const { ship, relay } = opened;
    for (const parcel of [1, 2, 3]) await ship('a', parcel);
    await ship('b', 1);
    const ran: string[] = [];
    await relay({
      ship: ({ payload: { lane, parcel }, attempt }) => {
        ran.push(`${lane}${parcel}`);
        if (lane === 'a' && parcel === 1 && attempt < 3) throw new Error('timeout');
      },
    }).drain();
    expect(ran.filter((name) => name.startsWith('a'))).toEqual(['a1', 'a1', 'a1', 'a2', 'a3']);
    expect(ran).toContain('b1');
  });

  test('wait also while that one has a pause', async () => {
    await using opened = await openOutbox(pool);
    const { ship, relay, view } = opened;
    for (const parcel of [1, 2]) await ship('a', parcel);
    const fails = () => {
      throw new Error('timeout');
    };
    const options = { random: () => 0.5, backoff: { firstMs: 60_000 } };
    const pausing = relay({ ship: fails }, options);
    await pausing.drain();
    await pausing.drain();
    expect(await view()).toMatchObject([
      { state: 'waiting', attempt: 1 },
      { state: 'waiting', attempt: 0 },
    ]);
  });

  test('go on when it is dead', async () => {
    await using opened = await openOutbox(pool);
    const { ship, relay, view } = opened;
    for (const parcel of [1, 2]) await ship('a', parcel);
    await relay(
      {
        ship: ({ payload: { parcel } }) => {
          if (parcel === 1) throw new Error('no such address');
        },
      },
      { maxAttempts: 2 },
    ).drain();
    expect(await view()).toMatchObject([{ state: 'dead' }, { state: 'done' }]);
  });

  test('go on when its last lease ran out', async () => {
    await using opened = await openOutbox(pool);
    const { ship, relay, view } = opened;
    for (const parcel of [1, 2]) await ship('a', parcel);
    await placeInLanes(opened.outbox.database, opened.outbox.schema);
    await take(opened, 1);
    await opened.elapse(5);
    await relay({ ship: () => undefined }, { maxAttempts: 1 }).drain();
    expect(await view()).toMatchObject([{ state: 'dead' }, { state: 'done' }]);
  });

  test('do not overtake what has begun, whichever was written first', async () => {
    await using opened = await openOutbox(pool);
    const { outbox, ship, relay } = opened;
    const log = shippingLog();
    const begun = deferred();
    const goOn = deferred();
    let started!: Promise<void>;
    await committed(pool, async (client) => {
      await outbox.enqueue(client, 'ship', { lane: 'a', parcel: 1 });
      // Written later, committed earlier.
      await ship('a', 2);
      started = relay({
        ship: async (job) => {
          begun.resolve();
          await goOn.promise;
          await log.ship(job);
          if (job.attempt === 1 && job.payload.parcel === 2) throw new Error('timeout');
        },
      }).drain();
      await begun.promise;
    });
    // The first one is there now. Another relay must neither run it beside the second nor between
    // its attempts.
    await relay({ ship: log.ship }).drain();
    expect(log.parcels('a')).toEqual([]);
    goOn.resolve();
    await started;
    expect(log.parcels('a')).toEqual([2, 2, 1]);
    expect(log.overlaps).toEqual([]);
  });

  test('go on when the relay died after a job was done', async () => {
    await using opened = await openOutbox(pool);
    const { outbox, ship, relay, view } = opened;
    for (const parcel of [1, 2, 3]) await ship('a', parcel);
    await placeInLanes(outbox.database, outbox.schema);
    const [job] = (await take(opened, 60_000)).jobs;
    if (!job) throw new Error('there is no job');
    await finishJob(outbox.database, outbox.schema, job);
    await relay({ ship: () => undefined }).drain();
    expect((await view()).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
  });

  test('have one turn among them, however many relays decide at once', async () => {
    await using opened = await openOutbox(pool);
    const { outbox, ship, schema } = opened;
    for (let round = 0; round < 10; round++) {
      const lane = `lane ${round}`;
      await Promise.all([1, 2, 3, 4].map((parcel) => ship(lane, parcel)));
      await Promise.all([1, 2, 3, 4].map(() => placeInLanes(outbox.database, outbox.schema)));
    }
    const { rows } = await pool.query(
      `select lane, count(*) filter (where turn = 2)::int as now,
              count(*) filter (where turn = 1)::int as later
         from "${schema}".outbox_jobs group by lane`,
    );
    for (const row of rows) expect(row).toMatchObject({ now: 1, later: 3 });
  });
});

test('a relay that lost the race for the turn of a lane looks again', async () => {
  await using opened = await openOutbox(pool);
  const { outbox, ship, schema } = opened;
  await ship('a', 1);
  await ship('a', 2);
  const table = `"${schema}".outbox_jobs`;
  // Over another connection, the second look may come before the first has unlocked its rows.
  const connection = await pool.connect();
  onTestFinished(() => connection.release());
  const database = { query: pgSender(connection) };
  let placing: Promise<number> | undefined;
  await committed(pool, async (client) => {
    await client.query(`update ${table} set turn = 2 where payload like '%2}'`);
    placing = placeInLanes(database, outbox.schema);
    // It may end before it is waited for.
    placing.catch(() => undefined);
    await vi.waitFor(() => somebodyWaitsIn(schema));
  });
  expect(await placing).toBe(1);
  const { rows } = await pool.query(`select turn from ${table} order by id`);
  expect(rows).toEqual([{ turn: 1 }, { turn: 2 }]);
});

describe('a lane from which a job is discarded', () => {
  const why = { reason: 'ordered twice', by: 'ada' };

  test.each([
    ['the first', 0],
    ['the second', 1],
    ['the last', 2],
  ])('goes on: %s', async (_, index) => {
    await using opened = await openOutbox(pool);
    const { ship, relay, jobs, outbox, view } = opened;
    for (const parcel of [0, 1, 2]) await ship('a', parcel);
    await placeInLanes(outbox.database, outbox.schema);
    const { id } = (await view())[index] as { id: string };
    expect(await jobs.discard(id, why)).toBe('discarded');
    const log = shippingLog();
    await relay({ ship: log.ship }).drain();
    expect(log.parcels('a')).toEqual([0, 1, 2].filter((parcel) => parcel !== index));
  });

  test('goes on, also if nobody had looked at the job', async () => {
    await using opened = await openOutbox(pool);
    const { outbox, ship, relay, jobs, view } = opened;
    const log = shippingLog();
    await ship('a', 1);
    await ship('a', 2);
    const [first] = (await view()) as { id: string }[];
    // The second one was told to wait for the first.
    await committed(pool, async (client) => {
      await client.query(`select from "${opened.schema}".outbox_jobs where id = $1 for update`, [
        first?.id,
      ]);
      await placeInLanes(outbox.database, outbox.schema);
    });
    expect(await jobs.discard(first?.id ?? '', why)).toBe('discarded');
    await relay({ ship: log.ship }).drain();
    expect(log.parcels('a')).toEqual([2]);
  });
});

describe('a dead job of a lane that is tried again', () => {
  test('runs before those behind it', async () => {
    await using opened = await openOutbox(pool);
    const { ship, relay, jobs, view } = opened;
    await ship('a', 1);
    let failing = true;
    const log = shippingLog();
    const runner = relay(
      {
        ship: async (job) => {
          if (failing) throw new Error('no such address');
          await log.ship(job);
        },
      },
      { maxAttempts: 1 },
    );
    await runner.drain();
    const [dead] = (await view()) as { id: string }[];
    failing = false;
    await ship('a', 2);
    expect(await jobs.retry(dead?.id ?? '')).toBe('waiting');
    await runner.drain();
    expect(log.parcels('a')).toEqual([1, 2]);
  });

  test('is brought back after its lane was handed on, not before', async () => {
    await using opened = await openOutbox(pool);
    const { outbox, ship, schema } = opened;
    await ship('a', 1);
    await placeInLanes(outbox.database, outbox.schema);
    await pool.query(
      `update "${schema}".outbox_jobs set state = 4, finished_at = clock_timestamp()`,
    );
    expect(await reviveJobs(outbox.database, outbox.schema, {})).toBe(0);
    await handLanesOn(outbox.database, outbox.schema);
    expect(await reviveJobs(outbox.database, outbox.schema, {})).toBe(1);
  });

  test('does not leave those before it waiting, when its relay died before it handed the lane on', async () => {
    await using opened = await openOutbox(pool);
    const { outbox, ship, relay, jobs, view, schema } = opened;
    const log = shippingLog();
    await committed(pool, async (client) => {
      await outbox.enqueue(client, 'ship', { lane: 'a', parcel: 1 });
      await ship('a', 2);
      await placeInLanes(outbox.database, outbox.schema);
    });
    await placeInLanes(outbox.database, outbox.schema);
    // The second has the turn, and dies; nobody has handed the lane on.
    await pool.query(
      `update "${schema}".outbox_jobs
          set state = 4, finished_at = clock_timestamp()
        where turn = 2`,
    );
    const dead = (await view()).find(({ state }) => state === 'dead');
    expect(await jobs.retry(String(dead?.['id']))).toBe('waiting');
    await relay({ ship: log.ship }).drain();
    expect(log.parcels('a').sort()).toEqual([1, 2]);
  });
});

test('two relays keep the order of every lane', { timeout: 60_000 }, async () => {
  await using opened = await openOutbox(pool);
  const { ship, relay, view } = opened;
  const log = shippingLog();
  const lanes = Array.from({ length: 8 }, (_, lane) => `lane ${lane}`);
  let failures = 0;
  const handlers = {
    ship: async (job: Shipping) => {
      await log.ship(job);
      // Some fail, always the same ones.
      if (job.attempt === 1 && job.payload.parcel % 3 === 0) {
        failures++;
        throw new Error('timeout');
      }
    },
  };
  for (const name of ['one', 'two']) {
    relay(handlers, { pollMs: 20, concurrency: name === 'one' ? 3 : 10 }).start();
  }
  const parcels = Array.from({ length: 12 }, (_, parcel) => parcel);
  await Promise.all(
    lanes.map(async (lane) => {
      for (const parcel of parcels) await ship(lane, parcel);
    }),
  );
  await vi.waitFor(
    async () => expect((await view()).every(({ state }) => state === 'done')).toBe(true),
    { timeout: 30_000, interval: 100 },
  );
  for (const lane of lanes) {
    const once = log.parcels(lane).filter((parcel, at, all) => parcel !== all[at - 1]);
    expect(once).toEqual(parcels);
  }
  expect(log.overlaps).toEqual([]);
  expect(failures).toBe(lanes.length * 4);
});

interface Shipping {
  readonly payload: { readonly lane: string; readonly parcel: number };
  readonly attempt: number;
}

/** Notes what is shipped when, and what is shipped at the same time in one lane. */
function shippingLog() {
  const shipped: { lane: string; parcel: number }[] = [];
  const running = new Set<string>();
  const overlaps: string[] = [];
  return {
    overlaps,
    parcels: (lane: string) =>
      shipped.filter((entry) => entry.lane === lane).map(({ parcel }) => parcel),
    async ship({ payload: { lane, parcel } }: Shipping): Promise<void> {
      if (running.has(lane)) overlaps.push(lane);
      running.add(lane);
      shipped.push({ lane, parcel });
      await new Promise(setImmediate);
      running.delete(lane);
    },
  };
}

async function somebodyWaitsIn(schema: string): Promise<void> {
  const { rows } = await pool.query(
    `select from pg_stat_activity where wait_event_type = 'Lock' and query like $1`,
    [`%${schema}%`],
  );
  expect(rows).toHaveLength(1);
}

function take({ outbox }: OpenOutbox, leaseMs: number) {
  return takeJobs(outbox.database, outbox.schema, {
    tasks: [{ task: 'ship', maxAttempts: 20 }],
    limit: 10,
    token: randomUUID(),
    leaseMs,
  });
}
