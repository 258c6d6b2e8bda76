import { mintKey } from '@onceward/core';
import { describe, expect, test } from 'vitest';
import { codeOf, openBank } from './open-bank.ts';

/** Texts that some parser takes for the same value. Here they are two inputs, or refused. */
const lookAlikes: [string, string][] = [
  ['{"a":10000000000000000999}', '{"a":10000000000000001000}'],
  ['{"a":9007199254740993}', '{"a":9007199254740992}'],
  ['{"a":-9007199254740993}', '{"a":-9007199254740992}'],
  ['[1e400]', '[1e401]'],
  ['[1E400]', '[-1E400]'],
  ['["\\ud800"]', '["\\ufffd"]'],
  ['["\\udc00\\ud800"]', '["\\ufffd\\ufffd"]'],
  ['{"\\ud800":1}', '{"\\ufffd":1}'],
  ['["\\u00e9"]', '["e\\u0301"]'],
  ['{"\\u00e9":1}', '{"e\\u0301":1}'],
  ['["\\u212b"]', '["\\u00c5"]'],
  ['["a\\u0000"]', '["a"]'],
  ['["\\ufeffa"]', '["a"]'],
  ['["1"]', '[1]'],
  ['[true]', '[1]'],
  ['[null]', '[]'],
  ['[null]', '["null"]'],
  ['{"a":null}', '{}'],
  ['[[1],2]', '[1,[2]]'],
  ['{"a":{"b":1}}', '{"a":1,"b":1}'],
  ['{"a":1,"b":2}', '{"a":2,"b":1}'],
  ['{"a":"1,\\"b\\":2"}', '{"a":"1","b":2}'],
  ['{"A":1}', '{"a":1}'],
  ['{"id":1,"ID":2}', '{"ID":1,"id":2}'],
  ['""', 'null'],
  ['0', 'false'],
];

/** Texts that mean the same to every handler. */
const synonyms: [string, string][] = [
  ['{"a":1,"b":[{"c":2,"d":3}]}', ' { "b" : [ { "d" : 3, "c" : 2 } ], "a" : 1.0 } '],
  ['[-0]', '[0]'],
  ['[100]', '[1E2]'],
  ['[0.1]', '[1e-1]'],
  ['["\\u0041\\/"]', '["A/"]'],
  ['["😀"]', '["\\ud83d\\ude00"]'],
  ['{"a":1,"a":2}', '{"a":2}'],
];

describe('S9: numbers and texts that look alike', () => {
  test.each(lookAlikes)('%s is never taken for %s', async (one, other) => {
    await using bank = await openBank();
    const key = mintKey();
    const first = await bank.send({ key, body: one });
    const second = await bank.send({ key, body: other });

    expect(second.headers.get('idempotent-replayed')).toBeNull();
    if (first.status === 200) {
      expect(['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_INPUT_INVALID']).toContain(codeOf(second));
    } else {
      expect(codeOf(first)).toBe('IDEMPOTENCY_INPUT_INVALID');
    }
  });

  test.each(synonyms)('%s replays for %s', async (one, other) => {
    await using bank = await openBank();
    const key = mintKey();
    const first = await bank.send({ key, body: one });
    const second = await bank.send({ key, body: other });

    expect(second.text).toBe(first.text);
    expect(bank.ledger).toHaveLength(1);
  });
});
