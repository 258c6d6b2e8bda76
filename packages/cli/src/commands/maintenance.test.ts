import { newRequest, opaqueRequest, success } from '@onceward/conformance/requests';
import { expect, test } from 'vitest';
import { elapse, openCli } from '../../test/open-cli.ts';

test('sweep goes to the end, page by page, and says what became of the leases', async () => {
  await using cli = await openCli();
  for (let each = 0; each < 5; each++) await cli.store.reserve(newRequest({ leaseMs: 1 }));
  for (let each = 0; each < 2; each++) {
    await cli.store.reserve(newRequest({ leaseMs: 1, onStaleLease: 'unknown' }));
  }
  await cli.store.reserve(newRequest());
  await elapse(20);
  const { code, json, stderr } = await cli.run('sweep', '--page-size', '2', '--json');
  expect([code, stderr]).toEqual([0, '']);
  expect(json).toMatchObject({ released: 5, unknown: 2, isComplete: true });
  expect(json.pages).toBeGreaterThan(4);
  expect((await cli.run('sweep')).stdout).toBe('0 released, 0 became unknown\n');
});

test('prune drops what is past its retention, and makes the partitions of the next days', async () => {
  await using cli = await openCli();
  const old = opaqueRequest({ keyRetentionMs: 1 });
  const answered = newRequest();
  for (const request of [old, answered]) {
    await cli.store.reserve(request);
    await cli.store.complete(request, success('x', 1));
  }
  const { partitions } = await cli.operator.partitions();
  await cli.pool.query(`drop table "${cli.schema}"."${partitions.at(-1)!.name}"`);
  await elapse(100);
  const { code, json } = await cli.run('prune', '--json');
  expect(code).toBe(0);
  expect(json).toMatchObject({ pruned: 1, answersDropped: 1, isComplete: true });
  expect((await cli.run('prune')).stdout).toBe('0 records pruned, 0 answers dropped\n');
  expect((await cli.operator.partitions()).partitions).toHaveLength(partitions.length);
});

test('a person sees a bar on stderr while it goes on, and the result on stdout', async () => {
  await using cli = await openCli();
  for (let each = 0; each < 4; each++) await cli.store.reserve(newRequest({ leaseMs: 1 }));
  await cli.pool.query(`analyze`);
  await elapse(20);
  const written: string[] = [];
  const stderr = { isTTY: true, write: (text: string) => void written.push(text) };
  const { stdout } = await cli.runWith({ stderr }, 'sweep', '--page-size', '2');
  expect(stdout).toBe('4 released, 0 became unknown\n');
  expect(written.some((line) => /sweeping \[#+\.+\] 50% {2}2 released/.test(line))).toBe(true);
  expect(written.at(-1)).toBe('\r\u001b[K');
});

test('Ctrl-C ends it after the page it is at: 130, and what was done stays done', async () => {
  await using cli = await openCli();
  for (let each = 0; each < 6; each++) await cli.store.reserve(newRequest({ leaseMs: 1 }));
  await elapse(20);
  const controller = new AbortController();
  const stderr = { isTTY: true, write: () => controller.abort() };
  const changes = { stderr, signal: controller.signal };
  for (const command of ['sweep', 'prune']) {
    const { code, json } = await cli.runWith(changes, command, '--page-size', '2', '--json');
    expect(code).toBe(130);
    expect(json).toMatchObject({ pages: 1, isComplete: false });
  }
  expect((await cli.run('sweep', '--json')).json).toMatchObject({ released: 4, isComplete: true });
});
