import { expect, test } from 'vitest';
import { runExample } from './run-example.ts';

test('the payment of the Expo example outlives its app', { timeout: 120_000 }, async () => {
  expect(await runExample('expo')).toEqual([
    'Paying 1200 in flight mode, and closing the app:',
    '  on the device: queued',
    'Opening it again, online, and the first answer is lost:',
    '  paid 1200',
    '  sent 2 times, under 1 key',
    'Payments made: 1',
  ]);
});
