import { expect, test } from 'vitest';
import { killChromium, launchChromiumIn } from '../engines/chromium.ts';
import { type JournalPage, serveJournals } from '../engines/journal-site.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

declare const onceward: JournalPage;

test('rows are there after kill -9 of the browser, right after they were written', async () => {
  await using site = await serveJournals();
  using profile = temporaryFolder('profile');

  for (let round = 1; round <= 3; round++) {
    const context = await launchChromiumIn(profile.folder);
    const page = await site.open(context);
    const before = await page.evaluate(() => onceward.indexedDbJournal().list('alice'));
    const first = before[0]?.seq ?? 0;
    expect(before.map(({ seq, body, rev }) => ({ seq, body, rev }))).toEqual(
      Array.from({ length: round - 1 }, (_, index) => ({
        // The row of each round is followed by one that was removed, whose number is gone.
        seq: first + 2 * index,
        body: `sent in round ${index + 1}`,
        rev: 2,
      })),
    );
    await page.evaluate(async (current) => {
      const store = onceward.indexedDbJournal();
      const draft = { scope: 'alice', intent: null, body: 'queued' };
      const { row } = await store.insert(draft);
      await store.remove((await store.insert(draft)).row);
      await store.update({ ...row, body: `sent in round ${current}` });
    }, round);
    await killChromium(context);
  }
});
