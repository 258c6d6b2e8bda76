import { expect, test } from 'vitest';
import { run } from '../test/open-cli.ts';

const commands = [
  ...['migrate', 'keys', 'show', 'settle', 'bust', 'sweep', 'prune', 'stats', 'watch', 'doctor'],
  ...['outbox list', 'outbox dead', 'outbox retry', 'outbox discard', 'outbox prune'],
];

test('the help names every command, how to connect and every exit code', async () => {
  const { code, stdout } = await run(['--help']);
  expect(code).toBe(0);
  for (const name of commands) expect(stdout).toContain(`\n  ${name.split(' ')[0]!} `);
  for (const text of ['DATABASE_URL', '  0 ', '  1 ', '  2 ', '  3 ', '  4 ', '  130 ']) {
    expect(stdout).toContain(text);
  }
});

test.for(commands)('the help of %s has examples', async (name) => {
  const { code, stdout, stderr } = await run([...name.split(' '), '--help']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('Examples:');
  expect(stdout).toContain(`$ onceward ${name}`);
  expect(stdout).toContain('--json');
});

test('the version is that of the package', async () => {
  const { code, stdout } = await run(['--version']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.for([
  [[], 'Usage: onceward'],
  [['frobnicate'], "unknown command 'frobnicate'"],
  [['keys', '--frobnicate'], "unknown option '--frobnicate'"],
  [['keys', '--state', 'lost'], 'Allowed choices are in-progress, released, completed, unknown'],
  [['keys', '--older-than', '5'], 'Expected a time such as'],
  [['keys', '--limit', '0'], 'Expected a whole number from 1 on'],
  [['keys', '--all', '--cursor', 'x'], "'--cursor <cursor>' cannot be used with option '--all'"],
  [['show'], "missing required argument 'key'"],
  [['show', 'short'], 'Expected a UUID v7, or 16 to 255 printable ASCII characters'],
  [['settle', 'x'.repeat(16), '--executed'], "required option '--evidence <text>'"],
  [['bust', 'x'.repeat(16)], "required option '--reason <text>'"],
  [['migrate', '--status', '--sql'], 'cannot be used with option'],
  [['migrate', '--no-partitions', '--partition-width', '1h'], '--no-partitions cannot be used'],
  [['outbox', 'retry'], 'Name the jobs by their ids, or pass --all-dead'],
  [['outbox', 'retry', '1', '--all-dead'], 'Name the jobs by their ids, or pass --all-dead'],
  [['outbox', 'retry', '1', '--task', 'pay'], '--task goes with --all-dead'],
  [['outbox', 'retry', 'one'], 'Expected `id` to be the id of a job'],
  [['keys', '--cursor', 'drop'], 'Expected `cursor` to come from the last page'],
  [['doctor', '--redis-url', 'http://x'], '--redis-url is not the URL of a Redis'],
] as const)(
  'a wrong command line is 2, and nothing is printed as a result: %j',
  async ([args, text]) => {
    const { code, stdout, stderr } = await run(args);
    expect(stderr).toContain(text);
    expect([code, stdout]).toEqual([2, '']);
  },
);
