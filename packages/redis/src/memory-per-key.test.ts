import { newRequest, success } from '@onceward/conformance/requests';
import { expect, test } from 'vitest';
import { openStore } from '../test/open-store.ts';
import { recordKey } from './record-key.ts';

test('a completed record with an answer of 512 bytes takes at most 810 bytes', async () => {
  await using opened = await openStore();
  const request = newRequest({ scope: 'tenant-042', operation: 'payments.create' });
  await opened.store.reserve(request);
  await opened.store.complete(request, success('x'.repeat(512)));
  const key = recordKey(request, 'onceward:');
  await using _cleanUp = { [Symbol.asyncDispose]: async () => void (await opened.redis.del(key)) };
  // Under the default prefix, because the name counts too.
  await opened.redis.rename(recordKey(request, opened.prefix), key);
  expect(await opened.redis.memory('USAGE', key)).toBeLessThanOrEqual(810);
});
