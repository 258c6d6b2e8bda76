import { newRequest, opaqueRequest } from '@onceward/conformance/requests';
import { mintKey } from '@onceward/core';
import { createEngine } from '@onceward/server';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { elapse, type OpenCli, openCli } from '../../test/open-cli.ts';

async function openUnknown(cli: OpenCli, request = newRequest()) {
  await cli.store.reserve(request);
  await cli.store.doubt(request);
  return request;
}

const found = ['--evidence', '{"charge":"ch_7"}'];

test('what took effect is completed, with who said so and on what evidence', async () => {
  await using cli = await openCli();
  for (const request of [newRequest(), opaqueRequest()]) {
    const { key } = await openUnknown(cli, request);
    const settled = await cli.run('settle', key, '--executed', ...found, '--actor', 'grace');
    expect(settled).toMatchObject({ code: 0, stdout: 'settled as executed\n', stderr: '' });
    expect(await cli.operator.show(request)).toMatchObject({
      state: 'completed',
      outcome: 'settled',
      audit: [{ actor: 'grace', action: 'settle: executed', evidence: { charge: 'ch_7' } }],
    });
  }
});

test('--value is replayed to later deliveries', async () => {
  await using cli = await openCli();
  const engine = createEngine({ store: cli.store });
  const mutation = engine.mutation({ operation: 'pay', effect: 'external', answerVersion: 3 });
  const intent = { scope: 'alice', key: mintKey(), input: { cents: 7 } };
  await expect(
    mutation.runOnce(intent, () => {
      throw new Error('the connection was cut');
    }),
  ).rejects.toThrow();
  expect(await mutation.status(intent)).toBe('unknown');
  const { code } = await cli.runWith(
    { readFile: async () => '{ "receipt": 7 }' },
    ...['settle', intent.key, '--executed', ...found],
    ...['--value', 'receipt.json', '--answer-version', '3', '--answer-retention', '1h'],
  );
  expect(code).toBe(0);
  const replay = await mutation.runOnce<unknown>(intent, () => 'executed again');
  expect(replay).toMatchObject({ value: { receipt: 7 }, replayed: true });
  expect(replay.answerExpiresAt).toBeGreaterThan(Date.now() + 3_500_000);
  expect(replay.answerExpiresAt).toBeLessThan(Date.now() + 3_700_000);
});

test('what did not is freed, but not before no old attempt can act any more', async () => {
  await using cli = await openCli();
  const request = await openUnknown(cli);
  const settle = (...args: string[]) =>
    cli.run('settle', request.key, '--not-executed', '--evidence', 'no charge there', ...args);
  const soon = await settle();
  expect(soon.code).toBe(1);
  expect(soon.stderr).toMatch(/an old attempt may act for 15m \(--quiet\)/);
  expect(soon.stderr).toMatch(/again after 1[45]m/);
  expect((await settle('--json')).json).toMatchObject({ key: request.key, result: 'too-soon' });
  expect(await cli.store.find(request)).toMatchObject({ state: 'unknown' });
  expect((await cli.operator.audit()).entries).toEqual([]);

  await elapse(20);
  const settled = await settle('--quiet', '10ms', '--json');
  expect(settled.code).toBe(0);
  expect(settled.json).toEqual({
    key: request.key,
    scope: 'alice',
    operation: 'pay',
    result: 'settled',
  });
  const { state, audit } = (await cli.operator.show(request))!;
  expect(state).toBe('released');
  expect(audit).toMatchObject([{ actor: 'ada', evidence: 'no charge there' }]);
});

test.for([[], ['--value', 'receipt.json']])(
  'evidence about one attempt settles no later one: %j',
  async (value) => {
    await using cli = await openCli();
    const request = await openUnknown(cli);
    const other = await cli.pool.connect();
    try {
      // A later attempt became unknown, between our look at the key and our word about it.
      await other.query('begin');
      await other.query(`update "${cli.schema}".records set attempt = 2`);
      const settle = ['settle', request.key, '--executed', ...found, ...value];
      const settling = cli.runWith({ readFile: async () => '{}' }, ...settle);
      await untilBlocking(cli, other);
      await other.query('commit');
      expect(await settling).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('attempted again meanwhile'),
      });
    } finally {
      other.release();
    }
    expect(await cli.store.find(request)).toMatchObject({ state: 'unknown', attempt: 2 });
  },
);

/** Waits until somebody waits for this client's transaction. */
async function untilBlocking({ pool }: OpenCli, holder: pg.PoolClient): Promise<void> {
  const { processID } = holder as pg.PoolClient & { processID: number };
  const waiting = 'select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
  while (!(await pool.query(waiting, [processID])).rowCount);
}

test('only what is unknown can be settled', async () => {
  await using cli = await openCli();
  const request = newRequest();
  await cli.store.reserve(request);
  const { code, stdout, stderr } = await cli.run('settle', request.key, '--executed', ...found);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('the key is in-progress, not unknown');
  expect((await cli.run('settle', mintKey(), '--executed', ...found)).code).toBe(1);
});

test.for([
  [[...found], '--executed or --not-executed'],
  [['--executed', '--not-executed', ...found], 'cannot be used with'],
  [['--not-executed', '--value', 'x.json', ...found], 'cannot be used with'],
  [['--executed', '--evidence', ' '], '--evidence is empty'],
  [['--executed', '--evidence', '{"secret"'], '--evidence is not valid JSON'],
  [['--executed', ...found, '--value', 'no/such/file'], 'cannot be read: ENOENT'],
] as const)('a decision that is none is 2, and changes nothing: %j', async ([args, message]) => {
  await using cli = await openCli();
  const request = await openUnknown(cli);
  const { code, stderr } = await cli.run('settle', request.key, ...args);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('secret');
  expect(code).toBe(2);
  expect(await cli.store.find(request)).toMatchObject({ state: 'unknown' });
});

test('nobody settles anything without a name', async () => {
  await using cli = await openCli();
  const request = await openUnknown(cli);
  const settle = ['settle', request.key, '--executed', ...found, '--url', cli.url];
  const { code, stderr } = await cli.runWith({ env: { USER: ' ' } }, ...settle);
  expect(code).toBe(2);
  expect(stderr).toContain('--actor');
  expect((await cli.runWith({ env: { USER: 'lin' } }, ...settle)).code).toBe(0);
  expect((await cli.operator.audit()).entries).toMatchObject([{ actor: 'lin' }]);
});
