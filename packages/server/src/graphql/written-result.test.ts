import type { ExecutionResult } from 'graphql';
import { expect, test } from 'vitest';
import { WrittenResult } from './written-result.ts';

const data = { pay: { id: '1' } };
const facts = { idempotency: { replayed: false } };

/** As it is sent: by whoever calls its method without `this`. */
function sent(written: WrittenResult, result: ExecutionResult = written): string {
  const { stringify } = written;
  return stringify(result);
}

test('what was written is sent as it is, with what is beside it', () => {
  const written = new WrittenResult('{"data":{"pay":{"id":"01"}}}', data, facts);
  expect(sent(written)).toBe(
    '{"data":{"pay":{"id":"01"}},"extensions":{"idempotency":{"replayed":false}}}',
  );
  expect(sent(written, { data })).toBe('{"data":{"pay":{"id":"01"}}}');
});

test('data that somebody put there instead are written', () => {
  const written = new WrittenResult('{"data":{"pay":{"id":"1"}}}', data, facts);
  const others = { data: { pay: { id: '2' } }, extensions: { cost: 1 } };
  expect(JSON.parse(sent(written, others))).toEqual(others);
});

test('data that somebody replaced in the result itself are written', () => {
  const written = new WrittenResult('{"data":{"pay":{"id":"1"}}}', data, facts);
  Object.assign(written, { data: { pay: { id: 'redacted' } } });
  expect(JSON.parse(sent(written))).toEqual({
    data: { pay: { id: 'redacted' } },
    extensions: facts,
  });
});

test('what somebody adds later is sent too', () => {
  const written = new WrittenResult('{"data":{"pay":{"id":"1"}}}', data, { ...facts });
  written.extensions['cost'] = 1;
  Object.assign(written, { errors: [{ message: 'late' }] });
  expect(JSON.parse(sent(written))).toEqual({
    data,
    errors: [{ message: 'late' }],
    extensions: { ...facts, cost: 1 },
  });
});

test('a copy is an ordinary object', () => {
  const copy = { ...new WrittenResult('{"data":{"pay":{"id":"1"}}}', data, facts) };
  expect(copy).toEqual({ data, extensions: facts });
  expect(copy).not.toHaveProperty('stringify');
});
