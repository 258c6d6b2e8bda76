import { expect, test } from 'vitest';
import { bundleExercise } from './bundle-exercise.ts';
import { launchChromium } from './chromium.ts';
import type { exerciseAppJournal } from './exercise-app-journal.ts';
import type { exerciseClient } from './exercise-client.ts';
import type { exerciseCore } from './exercise-core.ts';
import { expectAppJournal } from './expect-app-journal.ts';
import { expectClient } from './expect-client.ts';
import { expectCore } from './expect-core.ts';
import { serveScript } from './serve-script.ts';

declare const onceward: {
  exerciseCore: typeof exerciseCore;
  exerciseClient: typeof exerciseClient;
  exerciseAppJournal: typeof exerciseAppJournal;
};

test('core works in Chromium, with its own clock and randomness', { timeout: 60_000 }, async () => {
  const before = Date.now();
  const report = await inChromium('core', () => onceward.exerciseCore());
  const { firstMintedAt } = expectCore(report);
  expect(firstMintedAt).toBeGreaterThanOrEqual(before);
  expect(firstMintedAt).toBeLessThanOrEqual(Date.now());
});

test('the client delivers in Chromium, with its own timers', { timeout: 60_000 }, async () => {
  expectClient(await inChromium('client', () => onceward.exerciseClient()));
});

test('a journal delivers once in Chromium, with its own keys', { timeout: 60_000 }, async () => {
  expectAppJournal(await inChromium('app-journal', () => onceward.exerciseAppJournal()));
});

async function inChromium<T>(
  name: 'core' | 'client' | 'app-journal',
  exercise: () => T | Promise<T>,
): Promise<T> {
  await using site = await serveScript(await bundleExercise(name));
  await using browser = await launchChromium();
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => problems.push(message.text()));
  await page.goto(site.url);
  const report = await page.evaluate(exercise);
  expect(problems).toEqual([]);
  return report;
}
