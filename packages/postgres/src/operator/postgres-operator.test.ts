import { again, bytes, newRequest, opaqueRequest, success } from '@onceward/conformance/requests';
import { mintKey } from '@onceward/core';
import type { Completion, ReserveRequest } from '@onceward/core/store';
import { afterAll, describe, expect, test } from 'vitest';
import { openOldPartition } from '../../test/old-partition.ts';
import { type OpenSchema, openPool, openSchema } from '../../test/open-schema.ts';
import { migrations } from '../migrations.ts';
import { postgresOperator } from './postgres-operator.ts';

const pool = openPool({ max: 8 });
afterAll(() => pool.end());

const failure: Completion = {
  outcome: { kind: 'failure', answer: bytes('card declined') },
  answerRetentionMs: 60_000,
};

async function openOperator() {
  const harness = await openSchema(pool);
  return { ...harness, operator: postgresOperator(pool, harness) };
}

describe('listing records', () => {
  test('shows state, scope, operation and times, and nothing that could be an answer', async () => {
    await using harness = await openOperator();
    const { store, operator } = harness;
    const done = newRequest({ operation: 'pay' });
    await finish(harness, done, success('secret-answer'));
    const { records } = await operator.list();
    expect(records).toEqual([
      {
        recordId: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
        scope: 'alice',
        key: done.key,
        keyTimestampMs: done.keyTimestampMs,
        operation: 'pay',
        attempt: 1,
        state: 'completed',
        outcome: 'success',
        answerExpiresAt: expect.any(Number) as unknown,
        keyExpiresAt: expect.any(Number) as unknown,
      },
    ]);
    expect(JSON.stringify(records)).not.toContain('secret');
    // What was listed can stand for its name.
    expect(await store.find(records[0]!)).toMatchObject({ state: 'completed' });
  });

  test('filters by state, scope, operation and age, alone and together', async () => {
    await using harness = await openOperator();
    const { store, operator } = harness;
    const paid = newRequest({ scope: 'bob', operation: 'pay' });
    const refunded = opaqueRequest({ scope: 'bob', operation: 'refund' });
    const held = newRequest({ leaseMs: 60_000 });
    const stuck = newRequest({ leaseMs: 1 });
    await finish(harness, paid, success());
    await store.reserve(refunded);
    await store.doubt(refunded);
    for (const request of [held, stuck]) await store.reserve(request);
    await harness.elapse(30);
    const keys = async (...filter: Parameters<typeof operator.list>) =>
      (await operator.list(...filter)).records.map(({ key }) => key).sort();
    const sorted = (...requests: ReserveRequest[]) => requests.map(({ key }) => key).sort();
    expect(await keys({ state: 'unknown' })).toEqual(sorted(refunded));
    expect(await keys({ state: 'completed' })).toEqual(sorted(paid));
    expect(await keys({ scope: 'bob' })).toEqual(sorted(paid, refunded));
    expect(await keys({ scope: 'bob', operation: 'refund' })).toEqual(sorted(refunded));
    expect(await keys({ scope: 'alice', operation: 'refund' })).toEqual([]);
    expect(await keys({ state: 'in-progress', olderThanMs: 0 })).toEqual(sorted(stuck));
    expect(await keys({ state: 'unknown', olderThanMs: 10 })).toEqual(sorted(refunded));
    expect(await keys({ state: 'unknown', olderThanMs: 60_000 })).toEqual([]);
    expect(await keys({ state: 'completed', olderThanMs: 10 })).toEqual(sorted(paid));
    expect(await keys({ state: 'completed', olderThanMs: 60_000 })).toEqual([]);
  });

  test('goes page by page through partitions, `records` and opaque keys, each once', async () => {
    await using harness = await openOperator();
    const { store, operator } = harness;
    const old = await openOldPartition(pool, harness);
    const requests = Array.from({ length: 3 }, () => old.request());
    for (let each = 0; each < 4; each++) requests.push(newRequest({ key: mintKey() }));
    for (let each = 0; each < 3; each++) requests.push(opaqueRequest());
    for (const request of requests) await store.reserve(request);
    await old.retireUntil('closed');
    await store.complete(requests[0]!, success());
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await operator.list({}, { limit: 2, cursor });
      expect(page.records.length).toBeLessThanOrEqual(2);
      listed.push(...page.records.map(({ key }) => key));
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed).toEqual(expect.arrayContaining(requests.map(({ key }) => key)));
    await expect(operator.list({}, { cursor: 'records; drop' })).rejects.toThrow(/`cursor`/);
  });
});

describe('showing a record', () => {
  test('tells all there is, but its answer only to who asks for it', async () => {
    await using harness = await openOperator();
    const { operator } = harness;
    const request = newRequest({ onStaleLease: 'unknown' });
    expect(await operator.show(request)).toBeUndefined();
    await finish(harness, request, success('receipt 7'));
    const shown = await operator.show(request);
    expect(shown).toMatchObject({
      key: request.key,
      state: 'completed',
      outcome: 'success',
      fingerprintVersion: 1,
      onStaleLease: 'unknown',
      bodyBytes: 9,
      audit: [],
    });
    expect(shown?.table).toMatch(/^records_\d{17}$/);
    expect(shown).not.toHaveProperty('answer');
    const asked = await operator.show(request, { answer: true });
    expect(asked?.answer).toEqual(bytes('receipt 7'));
  });

  test('never takes progress for an answer', async () => {
    await using harness = await openOperator();
    const request = opaqueRequest();
    await harness.store.reserve(request);
    await harness.store.saveProgress(request, bytes('step one'));
    const shown = await harness.operator.show(request, { answer: true });
    expect(shown).toMatchObject({ state: 'in-progress', bodyBytes: 8, table: 'opaque_records' });
    expect(shown).not.toHaveProperty('answer');
  });
});

describe('finding a key in any scope', () => {
  test('finds the records of that key alone, wherever they are', async () => {
    await using harness = await openOperator();
    const { store, operator } = harness;
    const old = await openOldPartition(pool, harness);
    const kept = old.request();
    const key = mintKey();
    const opaque = opaqueRequest({ scope: 'carol' });
    const others = [newRequest(), opaqueRequest()];
    const shared = ['bob', 'alice'].map((scope) => newRequest({ key, scope }));
    for (const request of [kept, opaque, ...others, ...shared]) await store.reserve(request);
    await old.retireUntil('dropped');
    const scopes = async (request: ReserveRequest) =>
      (await operator.findByKey(request.key)).map(({ scope }) => scope);
    expect(await scopes(shared[0]!)).toEqual(['alice', 'bob']);
    expect(await scopes(kept)).toEqual(['alice']);
    expect(await scopes(opaque)).toEqual(['carol']);
    expect(await scopes(newRequest())).toEqual([]);
    const [found] = await operator.findByKey(opaque.key);
    expect(await store.find(found!)).toMatchObject({ state: 'in-progress' });
  });

  test('finds a UUID v7 that was accepted as an opaque key', async () => {
    await using harness = await openOperator();
    const request = newRequest({ key: mintKey(), keyTimestampMs: null });
    await harness.store.reserve(request);
    const [found] = await harness.operator.findByKey(request.key);
    expect(found).toMatchObject({ key: request.key, keyTimestampMs: null });
  });
});

describe('busting a key', () => {
  const bust = { actor: 'ada', reason: 'the bank was wrong' };

  test('lets a failure be executed again, and only the same input', async () => {
    await using harness = await openOperator();
    const { store, operator } = harness;
    for (const request of [newRequest(), opaqueRequest()]) {
      await finish(harness, request, failure);
      expect(await operator.bust(request, bust)).toBe('busted');
      expect(await operator.bust(request, bust)).toBe('released');
      expect(await store.complete(request, success('late'))).toBe('lease-lost');
      const other = again(request, { fingerprint: { version: 1, digest: bytes('x'.repeat(32)) } });
      expect(await store.reserve(other)).toMatchObject({ kind: 'mismatch' });
      const next = await store.reserve(again(request));
      expect(next).toMatchObject({ kind: 'reserved', attempt: 2, progress: new Uint8Array() });
    }
  });

  test('is written down with who and why, in the same statement', async () => {
    await using harness = await openOperator();
    const { operator, schema } = harness;
    const request = newRequest();
    await finish(harness, request, failure);
    await operator.bust(request, bust);
    const { entries } = await operator.audit();
    const shown = await operator.show(request);
    expect(entries).toEqual([
      {
        at: expect.any(Number) as unknown,
        actor: 'ada',
        action: 'bust',
        recordId: shown?.recordId,
        jobId: null,
        scope: 'alice',
        key: request.key,
        operation: 'pay',
        evidence: { reason: 'the bank was wrong' },
      },
    ]);
    expect(shown?.audit).toEqual(entries);

    const second = newRequest();
    await finish(harness, second, failure);
    await pool.query(`alter table "${schema}".audit add check (actor <> 'ada') not valid`);
    await expect(operator.bust(second, bust)).rejects.toMatchObject({ code: '23514' });
    expect(await operator.show(second)).toMatchObject({ state: 'completed', outcome: 'failure' });
  });

  test('is refused for what is in progress, unknown, absent, or took effect', async () => {
    await using harness = await openOperator();
    const { store, operator } = harness;
    const held = newRequest();
    const doubted = newRequest();
    const done = newRequest();
    expect(await operator.bust(held, bust)).toBe('absent');
    await store.reserve(held);
    await store.reserve(doubted);
    await store.doubt(doubted);
    await finish(harness, done, success());
    const forced = { ...bust, evenIfExecuted: true };
    expect(await operator.bust(held, forced)).toBe('in-progress');
    expect(await operator.bust(doubted, forced)).toBe('unknown');
    expect(await operator.bust(done, bust)).toBe('executed');
    expect((await operator.audit()).entries).toEqual([]);
    expect(await store.complete(held, success())).toBe('completed');
    expect(await operator.bust(done, forced)).toBe('busted');
    expect(await store.reserve(again(done))).toMatchObject({ kind: 'reserved', attempt: 2 });
  });

  test('needs a name and a reason', async () => {
    await using harness = await openOperator();
    const { operator } = harness;
    for (const missing of [{ actor: ' ' }, { reason: '' }, { actor: undefined }]) {
      const request = { ...bust, ...missing } as typeof bust;
      await expect(operator.bust(newRequest(), request)).rejects.toThrow(TypeError);
    }
  });

  test('reaches a record whose partition is going', async () => {
    await using harness = await openOperator();
    const old = await openOldPartition(pool, harness);
    const request = old.request();
    await finish(harness, request, failure);
    await old.retireUntil('closed');
    expect(await harness.operator.bust(request, bust)).toBe('busted');
    await old.retireUntil('done');
    expect(await harness.operator.show(request)).toMatchObject({ state: 'released' });
  });
});

describe('the audit trail', () => {
  test('says who settled an outcome, and on what evidence; else that it was the application', async () => {
    await using harness = await openOperator();
    const { store, operator } = harness;
    const executed = newRequest();
    const notExecuted = opaqueRequest();
    for (const request of [executed, notExecuted]) {
      await store.reserve(request);
      await store.doubt(request);
    }
    const audit = { actor: 'ada', evidence: { charge: 'ch_7', seenAt: 'the provider' } };
    await store.settle(executed, { kind: 'executed', completion: success(), audit });
    await store.settle(executed, { kind: 'executed', completion: success(), audit });
    await store.settle(notExecuted, { kind: 'not-executed', quietMs: 60_000 });
    await store.settle(notExecuted, { kind: 'not-executed', quietMs: 0 });
    const { entries } = await operator.audit();
    expect(entries).toMatchObject([
      { action: 'settle: not-executed', actor: 'application', evidence: null },
      { action: 'settle: executed', actor: 'ada', evidence: audit.evidence },
    ]);
    expect(entries.map(({ key }) => key)).toEqual([notExecuted.key, executed.key]);
  });

  test('is paged from the newest on, and outlives the records', async () => {
    await using harness = await openOperator();
    const { operator, schema } = harness;
    for (let each = 0; each < 5; each++) {
      const request = newRequest();
      await finish(harness, request, failure);
      await operator.bust(request, { actor: `operator ${each}`, reason: 'test' });
    }
    await pool.query(`delete from "${schema}".records`);
    const first = await operator.audit({ limit: 3 });
    const second = await operator.audit({ limit: 3, cursor: first.cursor });
    const actors = [...first.entries, ...second.entries].map(({ actor }) => actor);
    expect(actors).toEqual([4, 3, 2, 1, 0].map((each) => `operator ${each}`));
    expect(second.cursor).toBeUndefined();
    await expect(operator.audit({ cursor: 'x' })).rejects.toThrow(/`cursor`/);
  });
});

describe('an operator sees', () => {
  test('partitions, how large they are, and when they are due', async () => {
    await using harness = await openOperator();
    const { operator } = harness;
    const old = await openOldPartition(pool, harness);
    await old.retireUntil('closed');
    const { widthMs, horizonMs, partitions, kept } = await operator.partitions();
    expect({ widthMs, horizonMs }).toEqual({ widthMs: 86_400_000, horizonMs: 605_100_000 });
    expect(partitions.map(({ state }) => state)).toEqual(['closing', 'open', 'open', 'open']);
    for (const { from, until, dueAt, bytes: size } of partitions) {
      expect(until - from).toBe(widthMs);
      expect(dueAt - until).toBe(horizonMs + 3_600_000);
      expect(size).toBeGreaterThan(0);
    }
    expect(partitions[0]?.dueAt).toBeLessThan(Date.now());
    expect(kept.bytes).toBeGreaterThan(0);
  });

  test('the database’s clock beside ours', async () => {
    await using harness = await openOperator();
    const { databaseNow, aheadMs, uncertaintyMs } = await harness.operator.clock();
    expect(Math.abs(databaseNow - Date.now())).toBeLessThan(60_000);
    expect(Math.abs(aheadMs)).toBeLessThan(60_000);
    expect(uncertaintyMs).toBeGreaterThanOrEqual(0);
  });

  test('that clock beside one of the caller’s', async () => {
    await using harness = await openOperator();
    const { aheadMs } = await harness.operator.clock(() => Date.now() - 3_600_000);
    expect(aheadMs).toBeGreaterThan(3_590_000);
    expect(aheadMs).toBeLessThan(3_610_000);
  });

  test('what was left of leases when they completed, by operation', async () => {
    await using harness = await openOperator();
    const { store, operator } = harness;
    const answerRetentionMs = 60_000;
    for (const leaseMs of [10_000, 50_000]) {
      await finish(harness, newRequest({ operation: `lease ${leaseMs}`, leaseMs }), success());
    }
    const late = newRequest({ operation: 'late', leaseMs: 1 });
    await store.reserve(late);
    await harness.elapse(50);
    await store.complete(late, success());
    // None of these says anything about a lease.
    const settled = newRequest({ operation: 'settled', leaseMs: 1 });
    await store.reserve(settled);
    await store.doubt(settled);
    await store.settle(settled, { kind: 'executed', completion: success() });
    await finish(harness, newRequest({ operation: 'kept' }), success('', Infinity));
    await store.reserve(newRequest({ operation: 'held' }));

    const margins = await operator.leaseMargins({ answerRetentionMs, mintedWithinMs: 60_000 });
    expect(margins.map(({ operation }) => operation)).toEqual([
      'late',
      'lease 10000',
      'lease 50000',
    ]);
    for (const margin of margins) expect(margin).toMatchObject({ completed: 1, implausible: 0 });
    expect(margins[0]?.leftMs).toBeLessThan(-40);
    expect(margins[1]?.leftMs).toBeGreaterThan(5_000);
    expect(margins[1]?.leftMs).toBeLessThanOrEqual(10_000);
    expect(margins[2]?.leftMs).toBeGreaterThan(45_000);
    expect(await operator.leaseMargins({ answerRetentionMs, mintedWithinMs: -60_000 })).toEqual([]);

    // By another retention they were completed tomorrow, or yesterday.
    for (const wrong of [-86_400_000, 86_400_000]) {
      const request = { answerRetentionMs: answerRetentionMs + wrong, mintedWithinMs: 60_000 };
      for (const margin of await operator.leaseMargins(request)) {
        expect(margin).toMatchObject({ completed: 0, implausible: 1, leftMs: null });
      }
    }
  });

  test('what waits for a sweep or a decision, and for how long', async () => {
    await using harness = await openOperator();
    const { store, operator } = harness;
    const nothing = { count: 0, oldestMs: 0 };
    expect(await operator.neglected()).toEqual({ staleLeases: nothing, unknown: nothing });
    for (const request of [newRequest({ leaseMs: 1 }), opaqueRequest({ leaseMs: 1 })]) {
      await store.reserve(request);
    }
    const doubted = newRequest();
    await store.reserve(doubted);
    await store.doubt(doubted);
    await store.reserve(newRequest());
    await harness.elapse(30);
    const { staleLeases, unknown } = await operator.neglected();
    expect([staleLeases.count, unknown.count]).toEqual([2, 1]);
    for (const { oldestMs } of [staleLeases, unknown]) {
      expect(oldestMs).toBeGreaterThan(20);
      expect(oldestMs).toBeLessThan(30_000);
    }
  });

  test('which rights a role lacks, until it was granted them', async () => {
    await using harness = await openOperator();
    const { operator, schema } = harness;
    const role = `${schema}_role`;
    await pool.query(`create role ${role}`);
    await using cleanUp = {
      [Symbol.asyncDispose]: async () => {
        await pool.query(`drop owned by ${role}; drop role ${role}`);
      },
    };
    expect(await operator.missingRights()).toEqual([]);
    const missing = await operator.missingRights(role);
    expect(missing).toEqual(
      expect.arrayContaining([
        { right: 'usage', on: `schema ${schema}` },
        { right: 'update', on: 'records' },
        { right: 'insert', on: 'audit' },
        { right: 'delete', on: 'lookups' },
        { right: 'insert', on: 'outbox_jobs' },
        { right: 'execute', on: 'place' },
      ]),
    );
    await pool.query(`select "${schema}".grant_to($1)`, [role]);
    expect(await operator.missingRights(role)).toEqual([]);
    const partition = (await operator.partitions()).partitions[0]!.name;
    await pool.query(`revoke update on "${schema}"."${partition}" from ${role}`);
    expect(await operator.missingRights(role)).toEqual([{ right: 'update', on: partition }]);
    await expect(operator.missingRights('nobody at all')).rejects.toMatchObject({ code: '42704' });
  });

  test('which migration is installed, also where none is', async () => {
    await using harness = await openOperator();
    const known = migrations.length;
    expect(await harness.operator.schemaVersion()).toEqual({ installed: known, known });
    const nowhere = postgresOperator(pool, { schema: 'nowhere' });
    expect(await nowhere.schemaVersion()).toEqual({ installed: 0, known });
  });
});

async function finish(
  { store }: Pick<OpenSchema, 'store'>,
  request: ReserveRequest,
  completion: Completion,
): Promise<void> {
  await store.reserve(request);
  await store.complete(request, completion);
}
