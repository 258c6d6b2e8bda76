import { expect, test } from 'vitest';
import { refuseFiles } from './refuse-files.ts';

test('names what it refuses', () => {
  const input = { order: { receipts: { tea: new Blob(['tea']) } } };
  expect(() => refuseFiles(input, 'input')).toThrow('got one as `tea`');
  expect(() => refuseFiles(new FormData(), 'input')).toThrow('got one as `input`');
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['text', 'File'],
  ['JSON', { a: [1, { b: null }], c: 'Blob' }],
  ['what transformers know', { at: new Date(0), tags: new Set(['a']), bytes: new Uint8Array(2) }],
  ['an object without a prototype', Object.create(null)],
])('lets %s pass', (_, value) => {
  refuseFiles(value, 'input');
});

test('bytes are not looked at one by one', () => {
  const startedAt = performance.now();
  refuseFiles({ bytes: new Uint8Array(2 ** 24) }, 'input');
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});

test('an input may contain itself', () => {
  const input: Record<string, unknown> = { name: 'tea' };
  input['self'] = input;
  refuseFiles(input, 'input');
  input['file'] = new Blob(['tea']);
  expect(() => refuseFiles(input, 'input')).toThrow('`file`');
});
