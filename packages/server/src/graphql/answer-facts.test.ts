import { expect, test } from 'vitest';
import { answerFacts } from './answer-facts.ts';

const noon = Date.UTC(2026, 1, 28, 12);

test('a body says the same as its headers, to the second', () => {
  const { inBody, text, http } = answerFacts({ replayed: true, answerExpiresAt: noon + 999 });
  expect(inBody).toEqual({ replayed: true, expiresAt: '2026-02-28T12:00:00.000Z' });
  expect(http.headers).toEqual({
    'Idempotent-Replayed': 'true',
    'Idempotency-Expires': 'Sat, 28 Feb 2026 12:00:00 GMT',
  });
  expect(text).toBe(JSON.stringify(inBody));
});

test('new answers of one second are told the same, and nobody can change it for the others', () => {
  const facts = (answerExpiresAt: number, replayed = false) =>
    answerFacts({ replayed, answerExpiresAt });
  const first = facts(noon);
  expect(facts(noon + 999)).toBe(first);
  expect(facts(noon + 1_000)).not.toBe(first);
  expect(facts(noon, true).inBody.replayed).toBe(true);
  expect(facts(noon)).toEqual(first);
  for (const shared of [first.inBody, first.http, first.http.headers]) {
    expect(Object.isFrozen(shared)).toBe(true);
  }
});

test.each([undefined, Infinity, 9e15])('an answer that expires at %s has no date', (at) => {
  const { inBody, http } = answerFacts({ replayed: false, answerExpiresAt: at });
  expect([inBody, http.headers]).toEqual([{ replayed: false }, {}]);
});
