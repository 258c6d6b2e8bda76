import { newRequest, opaqueRequest, success } from '@onceward/conformance/requests';
import type {
  MaintenancePage,
  PruneReport,
  ReserveRequest,
  SweepReport,
} from '@onceward/core/store';
import { afterAll, describe, expect, test } from 'vitest';
import { holdRows, impatient } from '../test/hold-rows.ts';
import { interceptedPool } from '../test/intercepted-pool.ts';
import { openPool, openSchema } from '../test/open-schema.ts';
import { postgresStore } from './postgres-store.ts';

const pool = openPool({ max: 4, ...impatient });
afterAll(() => pool.end());

describe('maintenance in Postgres', () => {
  test('leaves rows that somebody holds for the next time, and does not wait', async () => {
    await using harness = await openSchema(pool);
    const { store, schema } = harness;
    const stale = newRequest({ leaseMs: 1 });
    const old = newRequest({ operation: 'old' });
    const outdated = newRequest();
    for (const request of [stale, old, outdated]) await store.reserve(request);
    await store.complete(old, success());
    await expireKeys(schema, 'old');
    await store.complete(outdated, { ...success(), answerRetentionMs: 1 });
    await harness.elapse(20);

    {
      await using _held = await holdRows(pool, schema);
      expect(await store.sweep({ limit: 10 })).toMatchObject({ released: 0, unknown: 0 });
      expect(await store.prune({ limit: 10 })).toMatchObject({ pruned: 0, answersDropped: 0 });
    }

    expect(await store.sweep({ limit: 10 })).toMatchObject({ released: 1, unknown: 0 });
    expect(await store.prune({ limit: 10 })).toMatchObject({ pruned: 1, answersDropped: 1 });
  });

  test('looks at a page at a time, oldest keys first', async () => {
    await using harness = await openSchema(pool);
    const { store, schema } = harness;
    const requests: ReserveRequest[] = [];
    for (let key = 0; key < 5; key++) {
      const request = newRequest({ operation: 'old' });
      requests.push(request);
      await store.reserve(request);
      await store.complete(request, success());
      await harness.elapse(2);
    }
    await expireKeys(schema, 'old');
    const { pruned, cursor } = await store.prune({ limit: 2 });
    expect(pruned).toBe(2);
    const left = await Promise.all(requests.map((request) => store.find(request)));
    expect(left.map((found) => found?.state)).toEqual([
      ...[undefined, undefined],
      ...['completed', 'completed', 'completed'],
    ]);
    expect(await store.prune({ limit: 2, cursor })).toMatchObject({ pruned: 2 });
  });

  test('reads no more of a table than its page', async () => {
    await using harness = await openSchema(pool);
    const { schema, store } = harness;
    await store.reserve(newRequest());
    const { rows } = await pool.query(
      `select relname as home from "${schema}".records as held, pg_class where oid = held.tableoid`,
    );
    const [{ home }] = rows;
    await pool.query(
      `insert into "${schema}".${home}
       select (jsonb_populate_record(held, jsonb_build_object('id',
                 "${schema}".first_id("${schema}".key_ms(held.id) + later)))).*
         from "${schema}".records as held, generate_series(1, 5000) as later`,
    );
    // The parent as well: only by its statistics does the planner know that no id is there twice.
    await pool.query(`analyze "${schema}".${home}, "${schema}".records`);
    const plans: string[] = [];
    const watched = interceptedPool(pool, {
      async alone({ text, values, send }) {
        if (text.startsWith('with page')) {
          const plan = await pool.query(`explain ${text}`, values);
          plans.push(plan.rows.map((row) => row['QUERY PLAN']).join('\n'));
        }
        return send();
      },
    });
    const maintaining = postgresStore(watched, { schema });
    await maintaining.sweep({ limit: 10 });
    await maintaining.prune({ limit: 10 });
    expect(plans).toHaveLength(2);
    for (const plan of plans) expect(plan).not.toContain(`Seq Scan on ${home}`);
  });

  test('goes through opaque keys as they lie on disk, with no index but the primary key', async () => {
    await using harness = await openSchema(pool);
    const { schema } = harness;
    const statements: { text: string; values: unknown[] }[] = [];
    const watched = interceptedPool(pool, {
      alone({ text, values, send }) {
        if (text.includes('ctid')) statements.push({ text, values });
        return send();
      },
    });
    const store = postgresStore(watched, { schema });
    const requests = Array.from({ length: 40 }, () =>
      opaqueRequest({ leaseMs: 1, keyRetentionMs: 1, operation: 'old' }),
    );
    for (const request of requests) await store.reserve(request);
    await harness.elapse(5);
    const reports = [
      await goThrough((page) => store.sweep(page)),
      await goThrough((page) => store.prune(page)),
    ];
    for (const counts of reports) {
      expect(counts.reduce((one, other) => one + other)).toBe(40);
      for (const count of counts) expect(count).toBeLessThanOrEqual(9);
    }
    expect(await store.stats()).toMatchObject({ records: { released: 0, 'in-progress': 0 } });
    for (const { text, values } of statements) {
      const { rows } = await pool.query(`explain ${text}`, values);
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Tid Range Scan');
    }
  });

  test.each([
    'records"; drop table records; --',
    'records:',
    'opaque_records:-1',
    'partitions:records:0',
    'partitions:records_20250101000000000:0',
  ])('refuses %j, a cursor that is none of its own', async (cursor) => {
    await using harness = await openSchema(pool);
    await expect(harness.store.sweep({ limit: 1, cursor })).rejects.toThrow(TypeError);
    await expect(harness.store.prune({ limit: 1, cursor })).rejects.toThrow(/`cursor`/);
  });
});

/** How many records each page freed or deleted. */
async function goThrough(
  take: (page: MaintenancePage) => Promise<SweepReport | PruneReport>,
): Promise<number[]> {
  const counts: number[] = [];
  let cursor: string | undefined;
  do {
    const report = await take({ limit: 9, cursor });
    counts.push('pruned' in report ? report.pruned : report.released);
    cursor = report.cursor;
  } while (cursor !== undefined);
  return counts;
}

/** Moves the keys of an operation past their retention: sooner than waiting, and exact. */
async function expireKeys(schema: string, operation: string): Promise<void> {
  await pool.query(
    `update "${schema}".records
        set key_expires_at    = clock_timestamp() - interval '1 s',
            answer_expires_at = clock_timestamp() - interval '1 s'
      where operation = $1`,
    [operation],
  );
}

describe('the view `keys`', () => {
  test('names states in words, unites both tables, and shows no answer and no token', async () => {
    await using harness = await openSchema(pool);
    const { store, schema } = harness;
    const done = newRequest({ operation: 'pay' });
    const opaque = newRequest({ operation: 'refund', keyTimestampMs: null, leaseMs: 1 });
    await store.reserve(done);
    await store.complete(done, success());
    await store.reserve(opaque);
    await harness.elapse(5);
    const { rows, fields } = await pool.query(`select * from "${schema}".keys order by operation`);
    expect(rows).toMatchObject([
      { key: done.key, scope: 'alice', state: 'completed', outcome: 'success' },
      { key: opaque.key, scope: 'alice', state: 'in-progress', lease_ran_out: true },
    ]);
    const columns = fields.map(({ name }) => name);
    for (const secret of ['body', 'token', 'fingerprint']) expect(columns).not.toContain(secret);
  });

  test('knows the same numbers as the code', async () => {
    await using harness = await openSchema(pool);
    const { store, schema } = harness;
    const reasons = [
      'too-large',
      'not-serialisable',
      'streamed',
      'expired',
      'undecodable',
      'settled',
    ] as const;
    for (const reason of reasons) {
      const request = newRequest({ operation: reason });
      await store.reserve(request);
      const outcome = { kind: 'unavailable', reason } as const;
      await store.complete(request, { outcome, answerRetentionMs: 60_000 });
    }
    for (const move of ['release', 'doubt'] as const) {
      const request = newRequest({ operation: move });
      await store.reserve(request);
      await store[move](request);
    }
    const { rows } = await pool.query(`select operation, state, outcome from "${schema}".keys`);
    const words = Object.fromEntries(rows.map((row) => [row.operation, row.outcome ?? row.state]));
    expect(words).toEqual({
      ...Object.fromEntries(reasons.map((reason) => [reason, `unavailable: ${reason}`])),
      release: 'released',
      doubt: 'unknown',
    });
  });
});
