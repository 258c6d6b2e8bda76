import { again, newRequest } from '@onceward/conformance/requests';
import { expect, test } from 'vitest';
import { openPool, openSchema } from '../test/open-schema.ts';

test('of 16 reservations for each of 500 keys over 8 connections, exactly 500 are granted', async () => {
  await using pool = openPool({ max: 8 });
  await using harness = await openSchema(pool);
  let granted = 0;
  for (let batch = 0; batch < 20; batch++) {
    const requests = Array.from({ length: 25 }, () => newRequest());
    // Key by key: the eight connections are always busy with the same one.
    const calls = requests.flatMap((request) => Array.from({ length: 16 }, () => again(request)));
    const answers = await Promise.all(calls.map((call) => harness.store.reserve(call)));
    granted += answers.filter(({ kind }) => kind === 'reserved').length;
  }
  expect(granted).toBe(500);
}, 60_000);
