import { memoryStore } from '@onceward/server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  addJob,
  complete,
  leaveUnknown,
  minted,
  openStage,
  openView,
  serve,
  type Stage,
} from './open-stage.ts';

/** What an operator does all day, in a real browser. */
vi.setConfig({ testTimeout: 60_000 });
let stage: Stage;
beforeAll(async () => void (stage = await openStage()));
afterAll(() => stage?.[Symbol.asyncDispose]());

const table = 'role=table';

test('a key is found, settled with evidence, and its history says who did', async () => {
  const request = await leaveUnknown(stage.store, minted(60_000, { operation: 'messages.send' }));
  const page = await openView(stage, 'search');
  await page.getByLabel('Key, or the id of a record').fill(request.key);
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('heading', { name: 'One record' }).waitFor();
  // The key is on the page, and in no address.
  await page.getByText(request.key).waitFor();
  expect(page.url()).not.toContain(request.key);

  await page.getByLabel('It did not, and cannot any more').check();
  await page.getByLabel('Evidence').fill('the gateway has no such message');
  await page.getByRole('button', { name: 'Settle as not executed' }).click();
  await page.getByText('an old attempt may act for 15 min').waitFor();
  expect(await stage.store.find(request)).toMatchObject({ state: 'unknown' });

  await page.getByLabel('It took effect').check();
  await page.getByLabel('Evidence').fill('the gateway has message m-7');
  await page.getByRole('button', { name: 'Settle as executed' }).click();
  await page.getByText('Settled as executed.').waitFor();
  await page.locator('blockquote', { hasText: 'the gateway has message m-7' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Settle it' }).count()).toBe(0);
  expect(await stage.store.find(request)).toMatchObject({ state: 'completed' });

  await page.getByRole('link', { name: 'Audit', exact: true }).click();
  const entry = page.locator('tr', { hasText: 'the gateway has message m-7' });
  expect(await entry.textContent()).toContain('gracesettle: executed');
});

test('nothing is settled without evidence', async () => {
  const request = await leaveUnknown(stage.store, minted(30_000));
  const page = await openView(stage, 'unknown');
  await page
    .getByRole('link', { name: /^Settle/ })
    .last()
    .click();
  await page.getByLabel('It took effect').check();
  await page.getByRole('button', { name: 'Settle as executed' }).click();
  expect(await page.getByLabel('Evidence').evaluate((field) => field.matches(':invalid'))).toBe(
    true,
  );
  await page.getByLabel('Evidence').fill('{"charge":');
  await page.getByRole('button', { name: 'Settle as executed' }).click();
  await page.getByText('has to be valid JSON').waitFor();
  expect(await stage.store.find(request)).toMatchObject({ state: 'unknown' });
});

test('an answer and a payload are shown to who asks, and that is written down', async () => {
  const request = minted(1_000, { scope: 'payer' });
  await complete(stage.store, request);
  const page = await openView(stage, 'search');
  await page.getByLabel('Key, or the id of a record').fill(request.key);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Show the answer' }).click();
  await page.getByText('pay_4711').waitFor();
  await page.getByText('view answer').waitFor();
});

test('a dead letter is retried for a reason', async () => {
  await addJob(stage.postgres, { task: 'send-receipt', state: 4 });
  const page = await openView(stage, 'jobs');
  await page.getByText('connect ECONNREFUSED mail.internal:25').waitFor();
  await page.getByRole('button', { name: /^Retry/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Why?').fill('the mail server is back');
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await dialog.getByText('It waits to be tried again.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByText('No job is dead.').waitFor();
});

test('whatever scopes, operations and evidence say, it is text', async () => {
  const attack = `<img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=1</script>`;
  const request = minted(5_000, {
    scope: `${attack}\u202Eevil`,
    operation: `"><svg/onload=globalThis.pwned=1>`,
    leaseMs: 1,
  });
  await stage.store.reserve(request);
  const unknown = await leaveUnknown(
    stage.store,
    minted(5_000, { scope: attack, operation: `javascript:globalThis.pwned=1//${attack}` }),
  );
  const settlement = { kind: 'executed', attempt: 1, audit: { actor: attack, evidence: attack } };
  const outcome = { kind: 'unavailable', reason: 'settled' } as const;
  const page = await openView(stage, 'overview');
  const seen = async (text: string) => {
    await page.getByText(text, { exact: false }).first().waitFor();
    expect(await page.evaluate(() => 'pwned' in globalThis)).toBe(false);
    expect(await page.locator('main img, main script, main svg[onload]').count()).toBe(0);
  };
  await seen('"><svg/onload=globalThis.pwned=1>');
  await seen('\\u{202e}evil');
  await page.getByRole('link', { name: 'Unknown', exact: true }).click();
  await seen(`javascript:globalThis.pwned=1//${attack}`);
  await stage.store.settle(unknown, {
    ...settlement,
    kind: 'executed',
    completion: { outcome, answerRetentionMs: 60_000 },
  });
  await page.getByRole('link', { name: 'Audit', exact: true }).click();
  await seen(attack);
});

test('the page stands still while it is paused', async () => {
  const page = await openView(stage, 'unknown');
  await page.locator(table).waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText(', paused').waitFor();
  const before = asked.length;
  await leaveUnknown(stage.store, minted(1_000, { operation: 'while.paused' }));
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByText('while.paused').waitFor();
  // What is asked is what was refreshed, and nothing by itself.
  expect(asked.slice(before)).toHaveLength(1);
});

test('a store that knows less says so', async () => {
  const store = memoryStore();
  const request = await leaveUnknown(store, minted(0));
  const served = await serve({ store, audit: () => undefined });
  try {
    const page = await openView({ ...stage, url: served.url }, 'overview');
    await page.getByText('cannot tell when keys came').waitFor();
    await page.getByRole('link', { name: 'Find', exact: true }).click();
    await page.getByLabel('Key').fill(request.key);
    await page.getByLabel('Scope').fill(request.scope);
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('heading', { name: 'Settle it' }).waitFor();
    expect(page.url()).not.toContain(request.key);
  } finally {
    await served.close();
  }
});
