import { newRequest, opaqueRequest, success } from '@onceward/conformance/requests';
import { expect, test } from 'vitest';
import { elapse, openCli } from '../../test/open-cli.ts';

test('lists keys with their state, and never an answer', async () => {
  await using cli = await openCli();
  const done = newRequest({ scope: 'bob', operation: 'pay' });
  await cli.store.reserve(done);
  await cli.store.complete(done, success('a secret answer'));
  const doubted = newRequest({ operation: 'refund' });
  await cli.store.reserve(doubted);
  await cli.store.doubt(doubted);
  await cli.store.reserve(newRequest({ operation: 'ship', leaseMs: 90_000 }));
  const { code, stdout, stderr } = await cli.run('keys');
  expect([code, stderr]).toEqual([0, '']);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(/^KEY +STATE +OPERATION +SCOPE +MINTED +ATTEMPT +DETAIL$/);
  expect(stdout).toMatch(new RegExp(`${done.key}  completed +pay +bob .* 1  success`));
  expect(stdout).toMatch(new RegExp(`${doubted.key}  unknown +refund +alice .* for \\d+`));
  expect(stdout).toMatch(/ship .*lease runs out in 1m/);
  const inJson = await cli.run('keys', '--json');
  expect(inJson.json.cursor).toBeNull();
  expect(inJson.json.records).toHaveLength(3);
  for (const { stdout: shown } of [await cli.run('keys'), inJson]) {
    expect(shown).not.toContain('secret');
    expect(shown).not.toContain(Buffer.from('secret').toString('base64').slice(0, 7));
  }
});

test('filters by state, scope, operation and age', async () => {
  await using cli = await openCli();
  const stuck = newRequest({ leaseMs: 1, operation: 'ship' });
  const held = opaqueRequest({ scope: 'bob' });
  for (const request of [stuck, held]) await cli.store.reserve(request);
  await elapse(30);
  const keys = async (...args: string[]) => {
    const { json } = await cli.run('keys', '--json', ...args);
    return json.records.map(({ key }: { key: string }) => key);
  };
  expect(await keys('--scope', 'bob')).toEqual([held.key]);
  expect(await keys('--operation', 'ship')).toEqual([stuck.key]);
  expect(await keys('--state', 'in-progress', '--older-than', '10ms')).toEqual([stuck.key]);
  expect(await keys('--state', 'in-progress', '--older-than', '1h')).toEqual([]);
  expect(await keys('--state', 'unknown')).toEqual([]);
  expect(await cli.run('keys', '--state', 'unknown')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: 'no key matches\n',
  });
});

test('goes page by page: by the cursor that the last one printed, or through all of them', async () => {
  await using cli = await openCli();
  for (let each = 0; each < 5; each++) await cli.store.reserve(newRequest());
  const first = await cli.run('keys', '--limit', '3');
  const [, cursor] = /--cursor (\S+),/.exec(first.stderr) ?? [];
  const second = await cli.run('keys', '--limit', '3', '--cursor', cursor!);
  expect(second.stderr).toBe('');
  const keysIn = (text: string) => text.match(/^[0-9a-f-]{36}/gm) ?? [];
  const listed = [...keysIn(first.stdout), ...keysIn(second.stdout)];
  expect(new Set(listed).size).toBe(5);

  const pages = (await cli.run('keys', '--limit', '2', '--all', '--json')).stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(pages.flatMap(({ records }) => records)).toHaveLength(5);
  expect(pages.slice(0, -1).every(({ cursor: next }) => typeof next === 'string')).toBe(true);
  expect(pages.at(-1).cursor).toBeNull();
});

test('what a scope holds cannot take over the terminal', async () => {
  await using cli = await openCli();
  await cli.store.reserve(newRequest({ scope: '\u001b[2Jalice' }));
  const { stdout } = await cli.run('keys');
  expect(stdout).toContain('\\u{1b}[2Jalice');
  expect(stdout).not.toContain('\u001b');
});
