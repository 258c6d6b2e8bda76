import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { launchChromiumIn } from '../engines/chromium.ts';
import { type JournalPage, serveJournals } from '../engines/journal-site.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

declare const onceward: JournalPage;

test('a large value whose file the browser has lost is one broken row', async () => {
  await using site = await serveJournals();
  using profile = temporaryFolder('profile');
  const before = await launchChromiumIn(profile.folder);
  const kept = await (
    await site.open(before)
  ).evaluate(async () => {
    const store = onceward.indexedDbJournal();
    const draft = { scope: 'alice', intent: null, body: 'small' };
    const { row: first } = await store.insert(draft);
    // Digits in no order: what can be compressed is not large.
    const digits = Array.from({ length: 100_000 }, (_, n) => Math.imul(n + 1, 2_654_435_761));
    await store.insert({ ...draft, body: digits.join('') });
    const { row: last } = await store.insert(draft);
    return [first, last];
  });
  await before.close();
  // Chromium keeps large values in files of their own, beside the database.
  const files = readdirSync(profile.folder, { recursive: true }).map(String);
  const large = files.filter((path) => /\.indexeddb\.blob\/.*\/[\da-f]+$/.test(path));
  for (const path of large) rmSync(join(profile.folder, path), { recursive: true, force: true });
  expect(large.length).toBeGreaterThan(0);

  await using after = await launchChromiumIn(profile.folder);
  const outcome = await (
    await site.open(after)
  ).evaluate(async () => {
    const store = onceward.indexedDbJournal();
    const listed = await store.list('alice');
    const broken = listed[1];
    return {
      listed,
      read: broken && (await store.get(broken.seq)),
      removed: broken && (await store.remove(broken)),
      left: await store.list('alice'),
    };
  });
  const seq = kept[0]!.seq + 1;
  const broken = {
    seq,
    rev: 0,
    scope: 'alice',
    intent: null,
    body: JSON.stringify({ seq, scope: 'alice' }),
  };
  expect(outcome).toEqual({
    listed: [kept[0], broken, kept[1]],
    read: broken,
    removed: 'removed',
    left: kept,
  });
});
