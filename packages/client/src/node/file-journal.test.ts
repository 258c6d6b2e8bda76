import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeJournalStore } from '@onceward/conformance';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { fileJournal } from './file-journal.ts';

const draft = { scope: 'alice', intent: null, body: 'pay 100' };

afterEach(() => void vi.restoreAllMocks());

describe('the file journal', () => {
  describeJournalStore({ describe, test }, async () => {
    const { folder } = newFolder();
    const store = fileJournal({ folder });
    return {
      store,
      async reopen() {
        // What a killed process leaves behind: its files, and a lock that nobody holds.
        rmSync(join(folder, 'lock'), { force: true });
        return fileJournal({ folder });
      },
      corrupt: async (seq) => writeFileSync(fileOf(folder, seq), 'half a ro'),
      [Symbol.asyncDispose]: () => store.close(),
    };
  });

  test('nothing is made before the first call', () => {
    const { folder } = newFolder();
    const { name, durability } = fileJournal({ folder: join(folder, 'journal') });
    expect({ name, durability }).toEqual({ name: 'file', durability: 'strict' });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a single character that has changed makes a row a broken one', async () => {
    const { folder } = newFolder();
    const store = fileJournal({ folder });
    const { row } = await store.insert(draft);
    await store.close();
    const file = fileOf(folder, row.seq);
    writeFileSync(file, readFileSync(file, 'utf8').replace('pay 100', 'pay 900'));
    const [broken] = await store.list('alice');
    expect(broken).toMatchObject({ seq: row.seq, rev: 0, intent: null });
    expect(broken?.body).toContain('"pay 900"');
    await store.close();
  });

  test('a file that is gone is a row that is gone, and its number is not given again', async () => {
    const { folder } = newFolder();
    const store = fileJournal({ folder });
    vi.spyOn(Date, 'now').mockReturnValue(1_000);
    const first = await store.insert(draft);
    await store.remove((await store.insert(draft)).row);
    await store.close();
    rmSync(fileOf(folder, first.row.seq));
    expect(await store.list('alice')).toEqual([]);
    expect((await store.insert(draft)).row.seq).toBe(1_003);
    await store.close();
  });

  test('a folder that somebody has removed is made again, and gives no number again', async () => {
    const { folder } = newFolder();
    const store = fileJournal({ folder });
    const now = vi.spyOn(Date, 'now').mockReturnValue(1_000);
    const first = await store.insert(draft);
    rmSync(folder, { recursive: true });
    await expect(store.insert(draft)).rejects.toThrow('Another process has taken over');
    now.mockReturnValue(2_000);
    const second = await store.insert(draft);
    expect([first.row.seq, second.row.seq]).toEqual([1_001, 2_001]);
    expect(await store.list('alice')).toEqual([second.row]);
    await store.close();
  });

  test('what else is in the folder does not keep the rows from being read', async () => {
    const { folder } = newFolder();
    mkdirSync(join(folder, 'rows', 'backup'), { recursive: true });
    writeFileSync(join(folder, 'rows', 'backup', '1.row'), '');
    const store = fileJournal({ folder });
    const { row } = await store.insert(draft);
    expect(await store.list('alice')).toEqual([row]);
    await store.close();
  });

  test('a counter that cannot be read is an error, not a guess', async () => {
    const { folder } = newFolder();
    const store = fileJournal({ folder });
    await store.remove((await store.insert(draft)).row);
    await store.close();
    writeFileSync(join(folder, 'last-seq'), '');
    await expect(store.insert(draft)).rejects.toThrow(/Expected a number in .*last-seq/);
    writeFileSync(join(folder, 'last-seq'), '1');
    expect((await store.insert(draft)).row.seq).toBe(2);
    await store.close();
  });

  test('a write that fails rejects, and leaves the row as it was', async () => {
    const { folder } = newFolder();
    const store = fileJournal({ folder });
    const { row } = await store.insert(draft);
    // A folder where the draft of the row would be: not even root can write there.
    const blocked = `${fileOf(folder, row.seq)}.draft`;
    mkdirSync(blocked);
    await expect(store.update({ ...row, body: 'sent' })).rejects.toThrow(/EISDIR/);
    expect(await store.list('alice')).toEqual([row]);
    rmSync(blocked, { recursive: true });
    expect((await store.update({ ...row, body: 'sent' })).kind).toBe('updated');
    await store.close();
  });
});

function newFolder() {
  const temporary = temporaryFolder('journal');
  onTestFinished(() => temporary[Symbol.dispose]());
  return temporary;
}

function fileOf(folder: string, seq: number): string {
  const rows = join(folder, 'rows');
  const paths = readdirSync(rows, { recursive: true }).map(String);
  return join(rows, paths.find((path) => path.endsWith(`/${seq}.row`)) ?? 'none');
}
