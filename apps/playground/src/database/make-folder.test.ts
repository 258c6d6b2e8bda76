import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

test('of two at a time the first to be done wins, and the other finds its folder', async () => {
  using parent = openFolder();
  const place = join(parent.path, 'postgres');
  await makeFolder(place, async (slow) => {
    writeFileSync(join(slow, 'maker'), 'slow');
    await makeFolder(place, async (fast) => writeFileSync(join(fast, 'maker'), 'fast'));
  });
  expect(readFileSync(join(place, 'maker'), 'utf8')).toBe('fast');
  expect(readdirSync(parent.path)).toEqual(['postgres']);
});

test('a folder that cannot be filled leaves nothing, and its error is told', async () => {
  using parent = openFolder();
  const made = makeFolder(join(parent.path, 'postgres'), () => Promise.reject(new Error('full')));
  await expect(made).rejects.toThrow('full');
  expect(readdirSync(parent.path)).toEqual([]);
});

test('what dead makers left is removed, and what living ones make is not', async () => {
  using parent = openFolder();
  const dead = execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }).trim();
  const living = `postgres-new-${process.ppid}-b`;
  for (const name of [`postgres-new-${dead}-a`, living, 'postgres-newer', 'postgres']) {
    mkdirSync(join(parent.path, name));
  }
  await makeFolder(join(parent.path, 'postgres'), () => Promise.reject(new Error('it is there')));
  expect(readdirSync(parent.path).toSorted()).toEqual(['postgres', living, 'postgres-newer']);
});

function openFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'onceward-make-folder-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
