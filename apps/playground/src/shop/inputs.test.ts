import { expect, test } from 'vitest';
import { Trip } from './book.ts';
import { Message } from './notify.ts';
import { Payment } from './pay.ts';
import { Name } from './rename.ts';

const inputs = [
  ['to of pay', (to: string) => Payment.safeParse({ to, amountCents: 1 })],
  ['note of pay', (note: string) => Payment.safeParse({ to: 'bob', amountCents: 1, note })],
  ['trip of book', (trip: string) => Trip.safeParse({ trip, amountCents: 1 })],
  ['to of notify', (to: string) => Message.safeParse({ to, text: 'hello' })],
  ['text of notify', (text: string) => Message.safeParse({ to: 'bob', text })],
  ['name of rename', (name: string) => Name.safeParse({ name })],
] as const;

test.for(inputs)('the %s has no control characters', ([, parse]) => {
  for (const text of ['a\u0000b', 'a\u001bb', 'a\u007fb', 'a\u0085b', 'a\ud800b']) {
    expect(parse(text).error?.issues).toMatchObject([
      { message: 'Expected text without control characters' },
    ]);
  }
  for (const text of ['Zoë', '👩‍👩‍👧', 'عمر', 'O\u2019Neil']) expect(parse(text).success).toBe(true);
});

test('a message may have several lines', () => {
  expect(Message.safeParse({ to: 'bob', text: 'hello\r\n\tbob' }).success).toBe(true);
});
