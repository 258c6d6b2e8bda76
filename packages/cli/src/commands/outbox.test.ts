import { expect, test } from 'vitest';
import { addJobs, openCli } from '../../test/open-cli.ts';

test('lists jobs, newest first, never their payloads; by state, task and age', async () => {
  await using cli = await openCli();
  await addJobs(cli, { task: 'send-receipt', state: 'waiting' }, { task: 'ship', state: 'dead' });
  const { code, stdout } = await cli.run('outbox', 'list');
  expect(code).toBe(0);
  expect(stdout).toMatch(/ship .* the printer is on fire/);
  expect(stdout).toMatch(/send-receipt .* due for/);
  const listed = await cli.run('outbox', 'list', '--json');
  expect(listed.json).toMatchObject({
    jobs: [{ task: 'ship' }, { task: 'send-receipt' }],
    cursor: null,
  });
  for (const shown of [stdout, listed.stdout]) expect(shown).not.toContain('secret');
  const tasks = async (...args: string[]) =>
    (await cli.run('outbox', 'list', '--json', ...args)).json.jobs.map(
      ({ task }: { task: string }) => task,
    );
  expect(await tasks('--state', 'dead')).toEqual(['ship']);
  expect(await tasks('--task', 'send-receipt')).toEqual(['send-receipt']);
  expect(await tasks('--older-than', '1h')).toEqual([]);
  expect((await cli.run('outbox', 'list', '--state', 'done')).stderr).toBe('no job matches\n');
});

test('goes through pages by cursor, or through all of them', async () => {
  await using cli = await openCli();
  await addJobs(
    cli,
    ...Array.from({ length: 5 }, () => ({ task: 'ship', state: 'waiting' as const })),
  );
  const { json } = await cli.run('outbox', 'list', '--limit', '3', '--json');
  const second = await cli.run('outbox', 'list', '--limit', '3', '--cursor', json.cursor, '--json');
  expect([...json.jobs, ...second.json.jobs]).toHaveLength(5);
  const { stdout } = await cli.run('outbox', 'list', '--limit', '2', '--all', '--json');
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .flatMap((line) => JSON.parse(line).jobs),
  ).toHaveLength(5);
  expect((await cli.run('outbox', 'list', '--limit', '3')).stderr).toContain(
    `--cursor ${json.cursor}`,
  );
});

test('dead is 1 while there are dead jobs, and retry lets them be tried again', async () => {
  await using cli = await openCli();
  expect((await cli.run('outbox', 'dead')).code).toBe(0);
  await addJobs(cli, { task: 'ship', state: 'dead' }, { task: 'pay', state: 'dead' });
  const { code, json } = await cli.run('outbox', 'dead', '--json');
  expect([code, json.jobs.length]).toEqual([1, 2]);
  const [pay, ship] = json.jobs.map(({ id }: { id: string }) => id);
  expect(await cli.run('outbox', 'retry', ship)).toMatchObject({
    code: 0,
    stdout: `${ship} waits to be tried again\n`,
  });
  const again = await cli.run('outbox', 'retry', ship, pay, '--json');
  expect(again.code).toBe(1);
  expect(again.stdout).toBe(
    `{"id":"${ship}","result":"not-dead"}\n{"id":"${pay}","result":"waiting"}\n`,
  );
  expect((await cli.run('outbox', 'dead')).code).toBe(0);
});

test('retry --all-dead retries all, or those of a task', async () => {
  await using cli = await openCli();
  await addJobs(cli, { task: 'ship', state: 'dead' }, { task: 'pay', state: 'dead' });
  expect((await cli.run('outbox', 'retry', '--all-dead', '--task', 'pay', '--json')).json).toEqual({
    waiting: 1,
  });
  expect((await cli.run('outbox', 'retry', '--all-dead')).stdout).toBe(
    '1 jobs wait to be tried again\n',
  );
});

test('discard keeps who decided and why, and refuses what runs or is not there', async () => {
  await using cli = await openCli();
  await addJobs(cli, { task: 'ship', state: 'dead' }, { task: 'pay', state: 'running' });
  const { jobs } = (await cli.run('outbox', 'list', '--json')).json;
  const [running, dead] = jobs.map(({ id }: { id: string }) => id);
  const because = ['--reason', 'called the customer', '--json'];
  expect(await cli.run('outbox', 'discard', running, ...because)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('a relay runs it'),
  });
  expect((await cli.run('outbox', 'discard', '999999', ...because)).code).toBe(1);
  const { code, json } = await cli.run('outbox', 'discard', dead, ...because);
  expect([code, json]).toEqual([0, { id: dead, result: 'discarded' }]);
  const [job] = (await cli.run('outbox', 'list', '--state', 'discarded', '--json')).json.jobs;
  expect(job).toMatchObject({ id: dead, reason: 'called the customer', decidedBy: 'ada' });
});

test('prune deletes what was done long ago, and never the dead', async () => {
  await using cli = await openCli();
  await addJobs(cli, { task: 'ship', state: 'done' }, { task: 'ship', state: 'dead' });
  expect((await cli.run('outbox', 'prune', '--older-than', '1h', '--json')).json).toEqual({
    pruned: 0,
  });
  expect((await cli.run('outbox', 'prune', '--older-than', '1ms')).stdout).toBe('1 jobs pruned\n');
  expect((await cli.run('outbox', 'dead')).code).toBe(1);
});
