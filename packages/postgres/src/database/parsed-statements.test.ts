import { afterAll, beforeEach, expect, test } from 'vitest';
import { openPool } from '../../test/open-schema.ts';
import { canFly, fly, type FlightStatement } from './pg-flight.ts';
import { MAX_PARSED } from './parsed-statements.ts';
import { statementNames } from './statement-names.ts';

const pool = openPool({ max: 1 });
afterAll(() => pool.end());
/** A new connection for each test. */
beforeEach(async () => (await pool.connect()).release(true));

const nameOf = statementNames();

/** One of many, as each partition has its own. */
function statement(number: number, value: unknown = number): FlightStatement {
  const text = `select $1::int4 + ${number} as sum`;
  return { text, values: [value], name: nameOf(text) };
}

async function flyWith(...statements: FlightStatement[]) {
  const client = await pool.connect();
  try {
    if (!canFly(client)) throw new Error('Expected a client of pg to send statements together');
    return await fly(client, statements);
  } finally {
    client.release();
  }
}

async function kept(like = 'onceward\\_%'): Promise<number> {
  const { rows } = await pool.query(
    'select count(*)::int as count from pg_prepared_statements where name like $1',
    [like],
  );
  return rows[0].count;
}

async function parseMany(count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    const { done } = await flyWith(statement(number));
    expect(done[0]?.rows).toEqual([{ sum: String(2 * number) }]);
  }
}

test('a connection keeps a limited number of statements, however many there have been', async () => {
  await parseMany(3 * MAX_PARSED);
  expect(await kept()).toBeLessThanOrEqual(MAX_PARSED);
  expect(await kept()).toBeGreaterThanOrEqual(MAX_PARSED / 2);
});

test('a flight of several new statements does not pass the limit either', async () => {
  await parseMany(MAX_PARSED - 1);
  const several = [0, 1, 2].map((number) => statement(MAX_PARSED + number));
  expect((await flyWith(...several)).failure).toBeUndefined();
  expect(await kept()).toBeLessThanOrEqual(MAX_PARSED);
});

test('one that was closed is parsed again, and one that was not is not', async () => {
  await parseMany(MAX_PARSED + 1);
  for (const number of [0, MAX_PARSED]) {
    const { done, failure } = await flyWith(statement(number));
    expect(failure).toBeUndefined();
    expect(done[0]?.rows).toEqual([{ sum: String(2 * number) }]);
  }
});

test('a flight that makes room can need those that it closes', async () => {
  await parseMany(MAX_PARSED);
  const oldest = [0, 1, 2].map((number) => statement(number));
  const { failure } = await flyWith(...oldest, statement(MAX_PARSED));
  expect(failure).toBeUndefined();
});

test('a flight that fails has closed them all the same', async () => {
  await parseMany(MAX_PARSED);
  const { failure } = await flyWith(statement(0), statement(MAX_PARSED, 'no number'));
  expect(failure?.error).toMatchObject({ code: '22P02' });
  expect(await kept()).toBeLessThanOrEqual(MAX_PARSED);
  for (let number = 1; number <= MAX_PARSED; number++) {
    expect((await flyWith(statement(number))).failure).toBeUndefined();
  }
  expect(await kept()).toBeLessThanOrEqual(MAX_PARSED);
});

test('statements of others on the connection stay as they are', async () => {
  await pool.query({ name: 'theirs', text: 'select $1::int4', values: [1] });
  await parseMany(2 * MAX_PARSED);
  expect(await kept('theirs')).toBe(1);
});

test('statements that somebody took away from the connection are parsed again', async () => {
  await parseMany(3);
  await pool.query('deallocate all');
  const { failure } = await flyWith(statement(0));
  expect(failure?.error).toMatchObject({ code: '26000' });
  await parseMany(3);
  // Only one of them: the others are still there, and cannot be parsed a second time.
  await pool.query(`deallocate ${statement(1).name}`);
  expect((await flyWith(statement(0), statement(1))).failure).toBeDefined();
  await parseMany(3);
});

test('one that is there already, of which nobody knew, is replaced', async () => {
  const { name, text } = statement(7);
  await pool.query(`prepare ${name} as ${text}`);
  expect((await flyWith(statement(7))).done[0]?.rows).toEqual([{ sum: '14' }]);
});

test('a flight knows its columns even if they are forgotten while it is under way', async () => {
  await using other = openPool({ max: 2 });
  const [waiting, locking] = [await other.connect(), await other.connect()];
  try {
    const text = 'select $1::int4 as sum from pg_advisory_xact_lock($2::int4)';
    const slow = { text, values: [7, LOCK], name: nameOf(text) };
    if (!canFly(waiting)) throw new Error('Expected a client of pg to send statements together');
    await fly(waiting, [slow]);
    await locking.query('select pg_advisory_lock($1)', [LOCK]);
    const flying = fly(waiting, [slow]);
    const many = Array.from({ length: 1_000 }, (_, number) => statement(10_000 + number));
    expect((await flyWith(...many)).failure).toBeUndefined();
    await locking.query('select pg_advisory_unlock($1)', [LOCK]);
    expect((await flying).done[0]?.rows).toEqual([{ sum: '7' }]);
  } finally {
    waiting.release();
    locking.release();
  }
});

/** Of nobody else on the server. */
const LOCK = 20_261_117;
