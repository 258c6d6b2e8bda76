import { describe, expect, test } from 'vitest';
import { inputText } from '../fingerprint/input-text.ts';
import { settleUploads } from './settle-uploads.ts';

test('an input without files is returned at once, as it is', () => {
  const input = { variables: { cents: 5, list: [null, 'a', { b: true }] } };
  expect(settleUploads(input)).toBe(input);
});

test('an input nested without end is left to whoever reads it', async () => {
  const endless: { self?: unknown } = {};
  endless.self = endless;
  expect(settleUploads(endless)).toBe(endless);
});

describe.each([
  ['a File', (text: string) => new File([text], 'a.txt', { type: 'text/plain' })],
  ['a promise of a File', async (text: string) => new File([text], 'a.txt')],
  ['a promise of a stream', async (text: string) => streamed(text)],
  ['an Upload', (text: string) => new Upload(Promise.resolve(streamed(text)))],
])('%s', (_, upload) => {
  test('is compared by its content', async () => {
    const textOf = async (content: string) =>
      inputText(await settleUploads({ variables: { files: [upload(content)] } }));
    expect(await textOf('hello')).toBe(await textOf('hello'));
    expect(await textOf('hello')).not.toBe(await textOf('hellO'));
    expect(await textOf('hello')).toContain('"a.txt"');
  });
});

/** As `graphql-upload` makes them. */
class Upload {
  readonly promise: Promise<unknown>;
  constructor(promise: Promise<unknown>) {
    this.promise = promise;
  }
}

function streamed(text: string) {
  return {
    filename: 'a.txt',
    mimetype: 'text/plain',
    async *createReadStream() {
      yield Buffer.from(text);
    },
  };
}
