import type { ExecutionResult } from 'graphql';
import { expect, test } from 'vitest';
import { answerFacts } from './answer-facts.ts';
import { type WrittenResult, writtenResult } from './written-result.ts';

const data = { pay: { id: '1' } };
const facts = answerFacts({ replayed: false });

/** As Yoga sends it: without internals, and by its method without `this`. */
function sent(written: WrittenResult, result: ExecutionResult = shownOf(written)): string {
  const { stringify } = written;
  return stringify(result);
}

function shownOf(written: WrittenResult): ExecutionResult {
  const { idempotency, cost } = written.extensions;
  return { ...written, extensions: { idempotency, ...(cost ? { cost } : {}) } };
}

test('what was written is sent as it is, with what is beside it', () => {
  const written = writtenResult('{"data":{"pay":{"id":"01"}}}', data, facts);
  expect(sent(written)).toBe(
    '{"data":{"pay":{"id":"01"}},"extensions":{"idempotency":{"replayed":false}}}',
  );
  expect(sent(written, { data })).toBe('{"data":{"pay":{"id":"01"}}}');
  expect(JSON.parse(sent(written, written))).toEqual({
    data: { pay: { id: '01' } },
    extensions: { idempotency: { replayed: false }, http: { headers: {} } },
  });
});

test('data that somebody put there instead are written', () => {
  const written = writtenResult('{"data":{"pay":{"id":"1"}}}', data, facts);
  const others = { data: { pay: { id: '2' } }, extensions: { cost: 1 } };
  expect(JSON.parse(sent(written, others))).toEqual(others);
});

test('facts that somebody put there instead are written', () => {
  const written = writtenResult('{"data":{"pay":{"id":"1"}}}', data, facts);
  for (const extensions of [{ idempotency: { replayed: true } }, { idempotency: null }, {}]) {
    expect(JSON.parse(sent(written, { data, extensions }))).toEqual({ data, extensions });
  }
});

test('data that somebody replaced in the result itself are written', () => {
  const written = writtenResult('{"data":{"pay":{"id":"1"}}}', data, facts);
  Object.assign(written, { data: { pay: { id: 'redacted' } } });
  expect(JSON.parse(sent(written))).toEqual({
    data: { pay: { id: 'redacted' } },
    extensions: { idempotency: { replayed: false } },
  });
});

test('what somebody adds later is sent too', () => {
  const written = writtenResult('{"data":{"pay":{"id":"1"}}}', data, facts);
  written.extensions['cost'] = 1;
  Object.assign(written, { errors: [{ message: 'late' }] });
  expect(JSON.parse(sent(written))).toEqual({
    data,
    errors: [{ message: 'late' }],
    extensions: { idempotency: { replayed: false }, cost: 1 },
  });
});

test('what one answer is given is in no other', () => {
  const [one, other] = [1, 2].map(() => writtenResult('{"data":{}}', {}, facts));
  if (one) one.extensions['cost'] = 1;
  expect(other?.extensions).toEqual({ idempotency: { replayed: false }, http: { headers: {} } });
});

test('a copy is sent as it is, whatever is different in it', () => {
  const written = writtenResult('{"data":{"pay":{"id":"1"}}}', data, facts);
  const extensions = { idempotency: facts.inBody };
  for (const different of [
    { data: { pay: { id: 'redacted' } } },
    { errors: [{ message: 'late' }] },
    { extensions: { ...extensions, cost: 1 } },
    { extensions: { cost: 1 } },
    { hasNext: false },
  ]) {
    const copy = { ...written, extensions, ...different } as ExecutionResult;
    const members = { ...copy } as Partial<WrittenResult>;
    delete (members as { stringify?: unknown }).stringify;
    expect(JSON.parse(sent(written, copy))).toEqual(members);
    expect(JSON.parse(sent(written, members as ExecutionResult))).toEqual(members);
  }
});
