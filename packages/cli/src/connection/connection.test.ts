import { expect, test } from 'vitest';
import { run } from '../../test/open-cli.ts';
import { describeUrl, withoutPassword } from './describe-url.ts';

test.for([
  ['postgres://ada:secret@db:5432/shop?password=secret&x=1', 'postgres://ada@db:5432/shop'],
  ['postgres://db/shop', 'postgres://db/shop'],
  ['postgres:///shop?host=/run/postgresql&password=secret', 'postgres:///run/postgresql/shop'],
  ['redis://:secret@cache:6379', 'redis://cache:6379'],
  // A slash or a hash that was not escaped: the rest of the password is taken for something else.
  ['postgres://ada:12/secret@db/shop', 'the server of that URL'],
  ['postgres://ada:12#secret@db/shop', 'the server of that URL'],
  ['postgres://ada:sec/ret@db/shop', 'the server of that URL'],
])('of %s, this is shown: %s', ([url, shown]) => {
  expect(describeUrl(url!)).toBe(shown);
});

test('a password is taken out of what others say', () => {
  const url = 'postgres://ada:p%40ss@db/shop';
  expect(withoutPassword('no p@ss for p%40ss', url)).toBe('no … for …');
  expect(withoutPassword(`connect ${url}`, url)).not.toContain('p%40ss');
  expect(withoutPassword('as it was', 'postgres://ada@db/shop')).toBe('as it was');
});

test('a database that cannot be reached is 3, by an address without its password', async () => {
  const { code, stdout, stderr } = await run([
    'stats',
    '--url',
    'postgres://ada:very-secret@127.0.0.1:1/shop',
  ]);
  expect(code).toBe(3);
  expect(stdout).toBe('');
  expect(stderr).toContain('Cannot connect to postgres://ada@127.0.0.1:1/shop');
  expect(stderr).not.toContain('secret');
});

test('--url goes before DATABASE_URL', async () => {
  const env = { DATABASE_URL: 'postgres://127.0.0.1:1/first' };
  expect((await run(['stats'], { env })).stderr).toContain('127.0.0.1:1/first');
  const { stderr } = await run(['stats', '--url', 'postgres://127.0.0.1:1/second'], { env });
  expect(stderr).toContain('127.0.0.1:1/second');
});

test.for([
  [{}, 'Set DATABASE_URL, or pass --url'],
  [{ DATABASE_URL: '' }, 'Set DATABASE_URL, or pass --url'],
  [{ DATABASE_URL: 'mysql://ada:secret@db/shop' }, 'DATABASE_URL is not the URL of a PostgreSQL'],
  [{ DATABASE_URL: 'postgres://ada:se/cret@db/shop' }, 'written as %2F'],
] as const)('without a usable URL it is 2, and says what to do: %j', async ([env, message]) => {
  const { code, stderr } = await run(['keys'], { env });
  expect(code).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('cret');
});

test('tables that are not there are 4, with what to run', async () => {
  const { code, stderr } = await run(['keys', '--schema', 'nowhere']);
  expect(code).toBe(4);
  expect(stderr).toContain('onceward migrate --status');
});

test('a schema that no schema can be called is 2', async () => {
  const { code, stderr } = await run(['keys', '--schema', 'no"where']);
  expect(code).toBe(2);
  expect(stderr).toContain('`schema`');
});
