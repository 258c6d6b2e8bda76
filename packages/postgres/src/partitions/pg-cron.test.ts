import { readFileSync } from 'node:fs';
import { newRequest } from '@onceward/conformance/requests';
import { afterAll, expect, test } from 'vitest';
import { openOldPartition } from '../../test/old-partition.ts';
import { openPool, openSchema } from '../../test/open-schema.ts';

const pool = openPool({ max: 4 });
afterAll(() => pool.end());

const script = readFileSync(new URL('../../sql/pg-cron.sql', import.meta.url), 'utf8');

test('what the script has pg_cron call makes partitions and drops those that are due', async () => {
  await using harness = await openSchema(pool);
  const { schema } = harness;
  const old = await openOldPartition(pool, harness);
  const unknown = old.request();
  await old.store.reserve(unknown);
  await old.store.doubt(unknown);
  await pool.query(`drop table "${schema}".${await youngest(schema)}`);

  await pool.query(await scheduledBy(script, schema));
  expect(await old.partitions()).toEqual([]);
  expect(await old.homes(unknown)).toEqual(['records']);
  const { rows } = await pool.query(`select count(*)::int from "${schema}".partitions`);
  expect(rows).toEqual([{ count: 3 }]);
  expect(await harness.store.reserve(newRequest())).toMatchObject({ kind: 'reserved' });
});

/** Runs the script with something in place of pg_cron, and answers with the command it was given. */
async function scheduledBy(text: string, schema: string): Promise<string> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(
      `create schema cron
         create table jobs (name text, schedule text, command text)`,
    );
    await client.query(
      `create function cron.schedule(text, text, text) returns bigint language sql
         begin atomic insert into cron.jobs values ($1, $2, $3); select 1::bigint; end`,
    );
    await client.query(text.replaceAll('call onceward.', `call "${schema}".`));
    const { rows } = await client.query('select * from cron.jobs');
    expect(rows).toEqual([
      {
        name: 'onceward-partitions',
        schedule: '*/10 * * * *',
        command: `call "${schema}".prune_partitions()`,
      },
    ]);
    return rows[0].command;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

async function youngest(schema: string): Promise<string> {
  const { rows } = await pool.query(
    `select name from "${schema}".partition_spans order by start_ms desc limit 1`,
  );
  return rows[0].name;
}
