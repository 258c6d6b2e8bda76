import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { createVirtualClock } from '../../../../test/support/virtual-clock.ts';
import { fileJournal } from './file-journal.ts';

const draft = { scope: 'alice', intent: null, body: 'pay 100' };

test('a folder that is in use is refused, and free again when it is closed', async () => {
  const folder = newFolder();
  const first = fileJournal({ folder });
  const second = fileJournal({ folder });
  const { row } = await first.insert(draft);
  await expect(second.insert(draft)).rejects.toThrow(
    `is in use by process ${process.pid} on ${hostname()}`,
  );
  await first.close();
  expect(await second.list('alice')).toEqual([row]);
  await second.close();
});

test('the lock of a process that is gone from this machine is free at once', async () => {
  const folder = newFolder();
  leaveLock(folder, { pid: 2 ** 22 + 1, host: hostname() });
  const store = fileJournal({ folder });
  expect((await store.insert(draft)).kind).toBe('inserted');
  await store.close();
});

test('the lock of another machine is respected until nobody has touched it for 10 s', async () => {
  const folder = newFolder();
  const clock = createVirtualClock();
  leaveLock(folder, { pid: 1, host: 'another machine' });
  const store = fileJournal({ folder, clock });
  await expect(store.insert(draft)).rejects.toThrow('by process 1 on another machine');
  await clock.advance(11_000);
  expect((await store.insert(draft)).kind).toBe('inserted');
  await store.close();
});

test('a lock that was not written to its end runs out, too', async () => {
  const folder = newFolder();
  const path = join(folder, 'lock');
  writeFileSync(path, '{"id":');
  const store = fileJournal({ folder });
  await expect(store.insert(draft)).rejects.toThrow('is in use');
  utimesSync(path, 0, 0);
  expect((await store.insert(draft)).kind).toBe('inserted');
  await store.close();
});

test('a holder touches its lock for as long as it has it, and leaves no timer', async () => {
  const folder = newFolder();
  const clock = createVirtualClock();
  const first = fileJournal({ folder, clock });
  const second = fileJournal({ folder, clock });
  await first.insert(draft);
  for (let second = 0; second < 30; second++) {
    await clock.advance(1_000);
    await expect.poll(() => clock.pending()).toBe(1);
  }
  await expect(second.insert(draft)).rejects.toThrow('is in use');
  await first.close();
  expect(clock.pending()).toBe(0);
});

test('a holder that was asleep while another took over changes nothing', async () => {
  const folder = newFolder();
  const [asleep, awake] = [createVirtualClock(), createVirtualClock()];
  const first = fileJournal({ folder, clock: asleep });
  const second = fileJournal({ folder, clock: awake });
  const { row } = await first.insert(draft);
  await awake.advance(11_000);
  await second.update({ ...row, body: 'sent by the second' });
  await expect(first.update({ ...row, body: 'sent by the first' })).rejects.toThrow(
    'Another process has taken over',
  );
  expect((await second.get(row.seq))?.body).toBe('sent by the second');
  await second.close();
  // Once the folder is free, it starts from what is there.
  expect((await first.get(row.seq))?.body).toBe('sent by the second');
  await first.close();
});

test('closing leaves the lock of somebody else alone', async () => {
  const folder = newFolder();
  const store = fileJournal({ folder });
  await store.insert(draft);
  leaveLock(folder, { pid: 1, host: 'another machine' });
  await store.close();
  expect(readFileSync(join(folder, 'lock'), 'utf8')).toContain('another machine');
});

function leaveLock(folder: string, holder: { pid: number; host: string }): void {
  writeFileSync(join(folder, 'lock'), JSON.stringify({ id: 'somebody', ...holder }));
}

function newFolder(): string {
  const temporary = temporaryFolder('journal');
  onTestFinished(() => temporary[Symbol.dispose]());
  return temporary.folder;
}
