import { mintKey } from '@onceward/core';
import { describe, expect, test } from 'vitest';
import { codeOf, openBank } from './open-bank.ts';
import { openStore, storeNames } from './open-store.ts';

describe.each(storeNames)('S6: an answer that cannot be kept, on %s', (name) => {
  test.each([
    ['too large', { note: 'a'.repeat(2_000_000) }],
    ['a stream', new ReadableStream({ start: (controller) => controller.close() })],
    ['not to be written as JSON', { when: new Map([[1, 2]]) }],
  ])('%s: the effect happens once, and duplicates are told so', async (_, value) => {
    await using opened = await openStore(name);
    await using bank = await openBank({ store: opened.store });
    bank.handle = () => value;
    const key = mintKey();
    await bank.send({ key }).catch(() => undefined);
    const again = await bank.send({ key });

    expect(again.status).toBe(410);
    expect(codeOf(again)).toBe('IDEMPOTENCY_RESPONSE_UNAVAILABLE');
    expect(bank.ledger).toHaveLength(1);
  });
});
