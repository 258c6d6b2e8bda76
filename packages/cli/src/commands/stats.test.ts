import { newRequest, success } from '@onceward/conformance/requests';
import { expect, test } from 'vitest';
import { addJobs, elapse, openCli } from '../../test/open-cli.ts';

test('counts records, what is neglected, partitions and jobs', async () => {
  await using cli = await openCli();
  const done = newRequest();
  const doubted = newRequest();
  for (const request of [done, doubted, newRequest(), newRequest({ leaseMs: 1 })]) {
    await cli.store.reserve(request);
  }
  await cli.store.complete(done, success());
  await cli.store.doubt(doubted);
  await addJobs(cli, { task: 'ship', state: 'dead' });
  await elapse(20);
  const { code, json } = await cli.run('stats', '--json');
  expect(code).toBe(0);
  expect(json).toMatchObject({
    schema: cli.schema,
    records: { 'in-progress': 2, released: 0, completed: 1, unknown: 1 },
    staleLeases: 1,
    neglected: { staleLeases: { count: 1 }, unknown: { count: 1 } },
    partitions: { widthMs: 86_400_000 },
    jobs: [{ task: 'ship', state: 'dead', jobs: 1 }],
  });
  const { stdout } = await cli.run('stats');
  expect(stdout).toMatch(/of these, lease ran out +1, the oldest for \d+/);
  expect(stdout).toMatch(/unknown +1, the oldest for/);
  expect(stdout).toMatch(/partitions +3 of 1d each, \d\.\d MiB in all/);
  expect(stdout).toMatch(/ship +dead +1/);
});
