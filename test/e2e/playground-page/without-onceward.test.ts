import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
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

/** The same orders through a client that sends no key, and tries again when there is no answer. */
vi.setConfig({ testTimeout: 60_000 });
let stage: Stage;
beforeAll(async () => void (stage = await openStage()));
afterAll(() => stage?.[Symbol.asyncDispose]());

const charged = [
  ['tRPC', 'The answer is lost'],
  ['tRPC', 'The server is slow'],
  ['tRPC', 'The server crashes while paying'],
  ['GraphQL', 'The answer is lost'],
  ['GraphQL', 'The server is slow'],
  ['GraphQL', 'The server crashes while paying'],
] as const;

test.for(charged)('over %s, %s: two charges', async ([api, trouble]) => {
  const page = await openWithout();
  await choose(page, api);
  await choose(page, trouble);
  await press(page, 'Pay');
  await untilDone(page);
  await isChargedTwice(page);
});

test('a double press is two charges', async () => {
  const page = await openWithout();
  await press(page, 'Press it twice');
  await isChargedTwice(page);
});

test('a reload, and another press, is two charges', async () => {
  const page = await openWithout();
  await choose(page, 'The server is slow');
  await press(page, 'Pay');
  await untilServerWorks(page);
  await press(page, 'Reload the page');
  await page.getByText('The page has forgotten that it asked').waitFor();
  await press(page, 'Pay');
  await isChargedTwice(page);
});

test('a second tab is a second charge', async () => {
  const page = await openWithout();
  await press(page, 'Pay');
  const second = await openSecondTab(page);
  await press(second, 'Pay');
  await isChargedTwice(page);
});

test('a server that is killed, and a network that is cut, each charge again', async () => {
  for (const button of ['Kill the server now', 'Cut the network']) {
    const page = await openWithout();
    await choose(page, 'The server is slow');
    await press(page, 'Pay');
    await untilServerWorks(page);
    await press(page, button);
    if (button.startsWith('Cut')) await press(page, 'Mend the network');
    await untilDone(page);
    await isChargedTwice(page);
  }
});

test('what a gateway refuses before anything happens is no double charge', async () => {
  const page = await openWithout();
  await choose(page, 'A gateway says 503');
  await press(page, 'Pay');
  await untilDone(page);
  await eventually(() => chargesOn(page)).toBe(1);
});

async function openWithout(): Promise<Page> {
  const page = await openPage(stage);
  await choose(page, 'Without onceward');
  return page;
}

async function isChargedTwice(page: Page): Promise<void> {
  await eventually(() => chargesOn(page)).toBeGreaterThan(1);
  await page.getByText('which was wanted once').waitFor();
  expect((await effectsOn(page, stage)).pay).toBeGreaterThan(1);
}
