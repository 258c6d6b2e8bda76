import { expect, test } from 'vitest';
import { launchChromiumIn } from '../engines/chromium.ts';
import { type JournalPage, serveJournals } from '../engines/journal-site.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

declare const onceward: JournalPage;

test('a full disk is an error of the browser, and nothing is written', async () => {
  await using site = await serveJournals();
  using profile = temporaryFolder('profile');
  await using context = await launchChromiumIn(profile.folder);
  const page = await site.open(context);
  const devtools = await context.newCDPSession(page);
  const { origin } = new URL(page.url());
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 100_000 });

  const outcome = await page.evaluate(async () => {
    const store = onceward.indexedDbJournal();
    const draft = { scope: 'alice', intent: 'checkout', body: 'small' };
    const body = 'x'.repeat(10_000_000);
    const large = await store.insert({ ...draft, body }).then(
      ({ kind }) => kind,
      ({ name }: Error) => name,
    );
    return { large, small: (await store.insert(draft)).kind };
  });
  expect(outcome).toEqual({ large: 'QuotaExceededError', small: 'inserted' });
});
