import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  chargesOn,
  choose,
  effectsOn,
  eventually,
  openPage,
  openSecondTab,
  openStage,
  press,
  type Stage,
  untilDone,
  untilServerWorks,
} from './open-page.ts';

/** Whatever a person breaks on the page, with onceward each order happens once. */
vi.setConfig({ testTimeout: 60_000 });
let stage: Stage;
beforeAll(async () => void (stage = await openStage()));
afterAll(() => stage?.[Symbol.asyncDispose]());

const troubles = [
  { trouble: 'The answer is lost', attempts: 2, words: 'answered again, nothing was executed' },
  { trouble: 'The server is slow', attempts: 3, words: 'told to wait' },
  { trouble: 'A gateway says 503', attempts: 2, words: 'refused with 503' },
  { trouble: 'The server crashes while paying', attempts: 2, words: 'server: died over it' },
];

describe.each(['tRPC', 'GraphQL'])('over %s', (api) => {
  test.for(troubles)('$trouble: one charge', async ({ trouble, attempts, words }) => {
    const page = await openPage(stage);
    await choose(page, api);
    await choose(page, trouble);
    await press(page, 'Pay');
    await untilDone(page);
    await eventually(() => chargesOn(page)).toBe(1);
    await page.getByText(words).first().waitFor();
    expect(await page.locator('.attempt').count()).toBeGreaterThanOrEqual(attempts);
    await page.locator('.keys .state', { hasText: 'completed' }).waitFor();
    expect(await effectsOn(page, stage)).toMatchObject({ pay: 1 });
  });

  test('a double press is one charge', async () => {
    const page = await openPage(stage);
    await choose(page, api);
    await press(page, 'Press it twice');
    await untilDone(page);
    await page.getByText('Pressed 2 times').waitFor();
    await press(page, 'Send it again');
    await page.getByText('answered again, nothing was executed').waitFor();
    expect(await effectsOn(page, stage)).toMatchObject({ pay: 1 });
  });

  test('a reload while the server works is one charge', async () => {
    const page = await openPage(stage);
    await choose(page, api);
    await choose(page, 'The server is slow');
    await press(page, 'Pay');
    await untilServerWorks(page);
    await press(page, 'Reload the page');
    await page.getByText('the page was reloaded').waitFor();
    await untilDone(page);
    expect(await effectsOn(page, stage)).toMatchObject({ pay: 1 });
  });
});

test('the same order in a second tab is one charge, and both tabs hear of it', async () => {
  const page = await openPage(stage);
  await choose(page, 'The server is slow');
  await press(page, 'Pay');
  await untilServerWorks(page);
  const second = await openSecondTab(page);
  await press(second, 'Pay');
  for (const tab of [page, second]) await untilDone(tab);
  await page.getByText('Pressed 2 times').waitFor();
  expect(await effectsOn(page, stage)).toMatchObject({ pay: 1 });
});

test('a server that is killed while it works charges once, when there is one again', async () => {
  const page = await openPage(stage);
  await choose(page, 'The server is slow');
  await press(page, 'Pay');
  await untilServerWorks(page);
  await press(page, 'Kill the server now');
  await page.getByText('server: died over it').waitFor({ timeout: 15_000 });
  await untilDone(page);
  await eventually(() => chargesOn(page)).toBe(1);
  expect(await effectsOn(page, stage)).toMatchObject({ pay: 1 });
});

test('with the network cut an order waits in the journal, through a reload, and is sent once', async () => {
  const page = await openPage(stage);
  await press(page, 'Cut the network');
  await press(page, 'Pay');
  const queued = page.locator('.journal [data-state="queued"]');
  await queued.waitFor();
  await page.reload();
  await queued.waitFor();
  expect(await effectsOn(page, stage)).toMatchObject({ pay: 0 });

  await press(page, 'Mend the network');
  await untilDone(page);
  await page.getByText('Empty: nothing waits').waitFor();
  expect(await effectsOn(page, stage)).toMatchObject({ pay: 1 });
});

test('a network that is cut while the server works loses the answer, not the charge', async () => {
  const page = await openPage(stage);
  await choose(page, 'The server is slow');
  await press(page, 'Pay');
  await untilServerWorks(page);
  await press(page, 'Cut the network');
  await page.getByText('no answer: the network was cut').waitFor();
  await eventually(() => chargesOn(page)).toBe(1);
  await press(page, 'Mend the network');
  await untilDone(page);
  expect(await effectsOn(page, stage)).toMatchObject({ pay: 1 });
});

const effects = [
  { order: 'Train to Venice', button: 'Book', mutation: 'book' },
  { order: 'Text message', button: 'Send the text', mutation: 'notify' },
  { order: 'New name', button: 'Save the name', mutation: 'rename' },
];

test.for(effects)('$mutation happens once, also when its answer is lost', async (effect) => {
  const page = await openPage(stage);
  await choose(page, effect.order);
  await choose(page, 'The answer is lost');
  await press(page, effect.button);
  await untilDone(page);
  await eventually(() => chargesOn(page)).toBe(1);
  expect(await effectsOn(page, stage)).toMatchObject({ [effect.mutation]: 1 });
});

test('a text message that may have been sent when the server died is not sent again', async () => {
  const page = await openPage(stage);
  await choose(page, 'Text message');
  await choose(page, 'The server crashes while paying');
  await press(page, 'Send the text');
  await page.locator('.keys .state[data-state="unknown"]').waitFor({ timeout: 30_000 });
  await page.getByText('nobody knows yet whether it happened').first().waitFor();
  expect(await effectsOn(page, stage)).toMatchObject({ notify: 1 });
});
