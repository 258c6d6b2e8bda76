import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, expect, inject, test } from 'vitest';
import { openCli, run } from '../../test/open-cli.ts';

const pool = new pg.Pool({ connectionString: inject('postgresUrl'), max: 2 });
afterAll(() => pool.end());

function emptySchema() {
  const schema = `test_${randomBytes(6).toString('hex')}`;
  return {
    schema,
    migrate: (...args: string[]) => run(['migrate', '--schema', schema, ...args]),
    async [Symbol.asyncDispose]() {
      await pool.query(`drop schema if exists "${schema}" cascade`);
    },
  };
}

test('makes the tables, once', async () => {
  await using empty = emptySchema();
  const first = await empty.migrate();
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toMatch(/^ran 0001_records\n/);
  expect(await empty.migrate()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('nothing'),
  });
  expect((await empty.migrate('--json')).json).toEqual({ schema: empty.schema, ran: [] });
});

test('--status is 1 while anything is pending, and changes nothing', async () => {
  await using empty = emptySchema();
  const before = await empty.migrate('--status', '--json');
  expect(before.code).toBe(1);
  expect(before.json).toMatchObject({ installed: 0, pending: before.json.pending });
  expect(before.json.pending).toHaveLength(before.json.known);
  expect((await empty.migrate('--status')).stdout).toContain('pending    0001_records');
  await empty.migrate();
  const after = await empty.migrate('--status', '--json');
  expect(after.code).toBe(0);
  expect(after.json).toMatchObject({ installed: after.json.known, pending: [] });
});

test('--status is 1 where a later release has made the tables', async () => {
  await using cli = await openCli();
  await cli.pool.query(`insert into "${cli.schema}".migrations values (99, '0099_later')`);
  const { code, stdout } = await cli.run('migrate', '--status');
  expect(code).toBe(1);
  expect(stdout).toContain('upgrade @onceward/cli');
  expect(await cli.run('migrate')).toMatchObject({ code: 4 });
});

test('--dry-run names what would run, and runs nothing', async () => {
  await using empty = emptySchema();
  const { code, stdout } = await empty.migrate('--dry-run');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^would run 0001_records\n/);
  expect((await empty.migrate('--status', '--json')).json.installed).toBe(0);
});

test('--sql prints a script that does the same, and needs no database', async () => {
  await using empty = emptySchema();
  const args = ['migrate', '--schema', empty.schema, '--sql', '--partition-width', '1h'];
  const { code, stdout, stderr } = await run(args, { env: {} });
  expect([code, stderr]).toEqual([0, '']);
  await pool.query(stdout);
  expect((await empty.migrate('--status')).code).toBe(0);
  const { rows } = await pool.query(`select width_ms::int from "${empty.schema}".layout`);
  expect(rows).toEqual([{ width_ms: 3_600_000 }]);
  const rest = await run([...args, '--installed', '1'], { env: {} });
  expect(rest.stdout).not.toContain("'0001_records'");
  expect(rest.stdout).toContain("'0002_outbox'");
});

test('lays partitions out as it is told', async () => {
  await using divided = emptySchema();
  await divided.migrate('--partition-width', '1h', '--partition-horizon', '2d');
  await using plain = emptySchema();
  await plain.migrate('--no-partitions');
  const layout = async ({ schema }: { schema: string }) =>
    (await pool.query(`select width_ms, horizon_ms from "${schema}".layout`)).rows[0];
  expect(await layout(divided)).toEqual({ width_ms: '3600000', horizon_ms: '172800000' });
  expect(await layout(plain)).toMatchObject({ width_ms: null });
});
