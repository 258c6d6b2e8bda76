import { again, fingerprintOf, newToken, success } from '@onceward/conformance/requests';
import type { ReserveRequest } from '@onceward/core/store';
import { afterAll, describe, expect, test } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import { impatient } from '../../test/hold-rows.ts';
import { type OldPartition, openOldPartition } from '../../test/old-partition.ts';
import { openPool, openSchema } from '../../test/open-schema.ts';

const pool = openPool({ max: 8, ...impatient });
const harness = openSchema(pool);
afterAll(async () => {
  await (await harness)[Symbol.asyncDispose]();
  await pool.end();
});

/** What somebody does with a record, what they are told, and what is left in the end. */
interface Move {
  /** What happened to the record before. */
  prepare(old: OldPartition, request: ReserveRequest): Promise<unknown>;
  act(old: OldPartition, request: ReserveRequest): Promise<unknown>;
  readonly answer: unknown;
  readonly leaves: { state: string; attempt: number } | undefined;
}

const nothing = async () => undefined;
const reserve: Move['prepare'] = ({ store }, request) => store.reserve(request);
const finish: Move['prepare'] = async ({ store }, request) => {
  await store.reserve(request);
  await store.complete(request, success('done'));
};
const giveBack: Move['prepare'] = async ({ store }, request) => {
  await store.reserve(request);
  await store.release(request);
};
const lose: Move['prepare'] = async ({ store }, request) => {
  await store.reserve(request);
  await store.doubt(request);
};
/** The first holder lost its lease to a second one. */
const supersede: Move['prepare'] = async (old, request) => {
  await giveBack(old, request);
  await old.store.reserve(again(request));
};
const pay: Move['act'] = ({ store, effects }, request) =>
  store.transact(again(request), async (client) => {
    await effects.write(client, request.key);
    return { kind: 'commit', completion: success('done') };
  });

const answered = { kind: 'completed' };
const inProgress = { state: 'in-progress', attempt: 1 };
const completed = { state: 'completed', attempt: 1 };
const unknown = { state: 'unknown', attempt: 1 };

const moves: Record<string, Move> = {
  'a first delivery is granted': {
    prepare: nothing,
    act: ({ store }, request) => store.reserve(request),
    answer: { kind: 'reserved', attempt: 1 },
    leaves: inProgress,
  },
  'a duplicate is told to wait': {
    prepare: reserve,
    act: ({ store }, request) => store.reserve(again(request)),
    answer: { kind: 'in-progress' },
    leaves: inProgress,
  },
  'a duplicate is answered from the record': {
    prepare: finish,
    act: ({ store }, request) => store.reserve(again(request)),
    answer: answered,
    leaves: completed,
  },
  'an unknown outcome stays unknown': {
    prepare: lose,
    act: ({ store }, request) => store.reserve(again(request)),
    answer: { kind: 'unknown' },
    leaves: unknown,
  },
  'another input is a mismatch': {
    prepare: finish,
    act: ({ store }, request) =>
      store.reserve(again(request, { fingerprint: fingerprintOf('another input') })),
    answer: { kind: 'mismatch' },
    leaves: completed,
  },
  'a released record is granted as the next attempt': {
    prepare: giveBack,
    act: ({ store }, request) => store.reserve(again(request)),
    answer: { kind: 'reserved', attempt: 2 },
    leaves: { state: 'in-progress', attempt: 2 },
  },
  'a key that is too old and has no record is expired': {
    prepare: nothing,
    act: ({ store }, request) => store.reserve({ ...request, keyRetentionMs: 1_000 }),
    answer: { kind: 'expired' },
    leaves: undefined,
  },
  'its holder completes it': {
    prepare: reserve,
    act: ({ store }, request) => store.complete(request, success('done')),
    answer: 'completed',
    leaves: completed,
  },
  'its holder completes it late': {
    prepare: lose,
    act: ({ store }, request) => store.complete(request, success('done')),
    answer: 'completed',
    leaves: completed,
  },
  'a superseded holder completes nothing': {
    prepare: supersede,
    act: ({ store }, request) => store.complete(request, success('too late')),
    answer: 'lease-lost',
    leaves: { state: 'in-progress', attempt: 2 },
  },
  'a stranger’s token completes nothing': {
    prepare: reserve,
    act: ({ store }, request) =>
      store.complete({ ...request, token: newToken() }, success('forged')),
    answer: 'lease-lost',
    leaves: inProgress,
  },
  'a lease is renewed': {
    prepare: reserve,
    act: ({ store }, request) => store.renew(request, 60_000),
    answer: 'renewed',
    leaves: inProgress,
  },
  'progress is saved': {
    prepare: reserve,
    act: ({ store }, request) => store.saveProgress(request, new Uint8Array([1])),
    answer: 'saved',
    leaves: inProgress,
  },
  'a lease is released': {
    prepare: reserve,
    act: ({ store }, request) => store.release(request),
    answer: 'released',
    leaves: { state: 'released', attempt: 1 },
  },
  'an outcome is doubted': {
    prepare: reserve,
    act: ({ store }, request) => store.doubt(request),
    answer: 'unknown',
    leaves: unknown,
  },
  'an unknown outcome is settled': {
    prepare: lose,
    act: ({ store }, request) =>
      store.settle(request, { kind: 'executed', completion: success('done') }),
    answer: 'settled',
    leaves: completed,
  },
  'an unknown outcome is settled as never executed': {
    prepare: lose,
    act: ({ store }, request) => store.settle(request, { kind: 'not-executed', quietMs: 0 }),
    answer: 'settled',
    leaves: { state: 'released', attempt: 1 },
  },
  'an operator finds it': {
    prepare: lose,
    act: ({ store }, request) => store.find(request),
    answer: { state: 'unknown' },
    leaves: unknown,
  },
  'a look at it changes nothing': {
    prepare: finish,
    act: ({ store }, request) => store.peek(again(request)),
    answer: answered,
    leaves: completed,
  },
  'a transaction takes effect': {
    prepare: nothing,
    act: pay,
    answer: { kind: 'committed' },
    leaves: completed,
  },
  'a transaction of a released record takes effect': {
    prepare: giveBack,
    act: pay,
    answer: { kind: 'committed' },
    leaves: { state: 'completed', attempt: 2 },
  },
  'a transaction that was there before is answered': {
    prepare: pay,
    act: pay,
    answer: answered,
    leaves: completed,
  },
  'a step takes effect': {
    prepare: reserve,
    act: ({ store, effects }, request) =>
      store.transactStep(request, async (client) => {
        await effects.write(client, request.key);
        return new Uint8Array([1]);
      }),
    answer: { kind: 'saved' },
    leaves: inProgress,
  },
};

/** Moments between two steps. */
const betweenSteps = ['nothing', 'closed', 'moved', 'dropped', 'done'] as const;

/** Moments in the middle of a step: what has been done when it begins, and what it does. */
const inTheMiddle = [
  { after: 'nothing', step: 'closed' },
  { after: 'closed', step: 'moved' },
  { after: 'moved', step: 'dropped' },
] as const;

describe.each(Object.entries(moves))('while its partition goes, %s', (_, move) => {
  test.each(betweenSteps)('when %s has been done', async (step) => {
    const old = await openOldPartition(pool, await harness);
    const request = old.request();
    await move.prepare(old, request);
    await reach(old, step);
    expect(await move.act(old, request)).toEqual(like(move.answer));
    await expectInTheEnd(old, request, move);
  });

  for (const { after, step } of inTheMiddle) {
    test.each(['commit', 'rollback'] as const)(
      `when it is being ${step}, and that ends in a %s`,
      async (how) => {
        const old = await openOldPartition(pool, await harness);
        const request = old.request();
        await move.prepare(old, request);
        await reach(old, after);
        await using open = await old.openStep();
        expect(open.step).toBe(step);
        const acting = move.act(old, request);
        await open.untilBlocking(acting);
        await open.end(how);
        expect(await acting).toEqual(like(move.answer));
        await expectInTheEnd(old, request, move);
      },
    );
  }
});

describe('while a transaction uses a partition', () => {
  test.each(['transact', 'transactStep'] as const)(
    '%s: it is not closed, and then it is',
    async (method) => {
      const old = await openOldPartition(pool, await harness);
      const { store, effects } = old;
      const request = old.request();
      if (method === 'transactStep') await store.reserve(request);
      const started = deferred();
      const mayEnd = deferred();
      const run = async (client: Parameters<typeof effects.write>[0]) => {
        await effects.write(client, request.key);
        started.resolve();
        await mayEnd.promise;
      };
      const ending =
        method === 'transact'
          ? store.transact(request, async (client) => {
              await run(client);
              return { kind: 'commit', completion: success() };
            })
          : store.transactStep(request, async (client) => {
              await run(client);
              return new Uint8Array([1]);
            });
      await started.promise;
      expect(await old.retireUntil('busy')).toEqual(['busy']);
      mayEnd.resolve();
      expect(await ending).toEqual({ kind: method === 'transact' ? 'committed' : 'saved' });
      expect(await old.retireUntil('done')).toEqual(['closed', 'moved', 'dropped', 'done']);
      expect(await effects.count(request.key)).toBe(1);
      expect(await old.homes(request)).toEqual(['records']);
    },
  );

  test('a statement that has not ended keeps it open', async () => {
    const old = await openOldPartition(pool, await harness);
    const request = old.request();
    await old.store.reserve(request);
    const client = await pool.connect();
    await client.query('begin');
    await client.query(`update "${old.schema}".records set attempt = 7`);
    expect(await old.retireUntil('busy')).toEqual(['busy']);
    await client.query('commit');
    client.release();
    await old.retireUntil('done');
    expect(await old.store.find(request)).toMatchObject({ attempt: 7 });
  });
});

async function reach(old: OldPartition, step: string): Promise<void> {
  if (step !== 'nothing') await old.retireUntil(step);
}

/** Whatever happened in between: one record, in `records` itself, and no partition. */
async function expectInTheEnd(
  old: OldPartition,
  request: ReserveRequest,
  { leaves, act }: Move,
): Promise<void> {
  await old.retireUntil('done');
  expect(await old.partitions()).toEqual([]);
  expect(await old.homes(request)).toEqual(leaves ? ['records'] : []);
  const found = await old.store.find(request);
  if (leaves) expect(found).toMatchObject(leaves);
  else expect(found).toBeUndefined();
  if (act === pay) expect(await old.effects.count(request.key)).toBe(1);
}

function like(answer: unknown): unknown {
  return typeof answer === 'object' ? expect.objectContaining(answer ?? {}) : answer;
}
