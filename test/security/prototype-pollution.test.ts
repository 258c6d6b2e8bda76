import { mintKey } from '@onceward/core';
import { describe, expect, test } from 'vitest';
import { codeOf, openBank } from './open-bank.ts';
import { openStore, storeNames } from './open-store.ts';

const poisons = [
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"a":{"__proto__":{"polluted":true}}}',
  '[{"__proto__":{"polluted":true}}]',
  '{"prototype":{"polluted":true},"toString":1,"hasOwnProperty":2,"then":3}',
  '{"__defineGetter__":{"polluted":true},"__lookupSetter__":1}',
];

describe.each(storeNames)('S8: names that mean something to JavaScript, on %s', (name) => {
  test.each(poisons)('%s pollutes nothing, as an input and as an answer', async (body) => {
    await using opened = await openStore(name);
    await using bank = await openBank({ store: opened.store });
    bank.handle = ({ input }) => input;
    const key = mintKey();
    const first = await bank.send({ key, body });
    const again = await bank.send({ key, body });

    expect(first.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test.each([
    ['{"cents":1,"__proto__":{"to":"mallory"}}', '{"cents":1}'],
    ['{"cents":1,"__proto__":{"to":"mallory"}}', '{"cents":1,"__proto__":{"to":"alice"}}'],
    ['{"cents":1,"constructor":1}', '{"cents":1}'],
    ['{"0":1,"1":2}', '[1,2]'],
    ['{}', '[]'],
  ])('%s is not %s under another name', async (one, other) => {
    await using opened = await openStore(name);
    await using bank = await openBank({ store: opened.store });
    const key = mintKey();
    await bank.send({ key, body: one });
    const refused = await bank.send({ key, body: other });

    expect(codeOf(refused)).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(bank.ledger).toHaveLength(1);
  });
});
