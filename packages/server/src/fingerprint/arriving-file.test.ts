import { describe, expect, test } from 'vitest';
import { inputText } from './input-text.ts';

describe.each([
  ['a promise of a File', async (text: string) => new File([text], 'a.txt')],
  ['a promise of a stream', async (text: string) => streamed(text)],
  ['an Upload', (text: string) => new Upload(Promise.resolve(streamed(text)))],
  ['a promise of an Upload', async (text: string) => new Upload(Promise.resolve(streamed(text)))],
])('%s', (_, upload) => {
  test('is compared by its content', async () => {
    const textOf = async (content: string) => inputText({ files: [upload(content)] });
    expect(await textOf('hello')).toBe(await textOf('hello'));
    expect(await textOf('hello')).not.toBe(await textOf('hellO'));
    expect(await textOf('hello')).toContain('"a.txt"');
  });
});

test('a file that has arrived and one that has not are the same file', async () => {
  const file = new File(['hello'], 'a.txt', { type: 'text/plain' });
  expect(await inputText([Promise.resolve(file)])).toBe(await inputText([file]));
});

test.each([
  ['JSON', { cents: 5 }],
  ['a text', 'hello'],
  ['null', null],
  ['nothing', undefined],
])('a promise of %s is refused: what is no file came in the input itself', async (_, value) => {
  await expect(inputText({ file: Promise.resolve(value) })).rejects.toMatchObject({
    details: { problem: 'not-json' },
  });
});

test('a file that fails to arrive rejects', async () => {
  await expect(inputText([failing()])).rejects.toThrow('the upload was aborted');
});

test('a file is listened to from the start, however long the rest of the input is read', async () => {
  let isHeard = false;
  class Arriving {
    then(heard: (file: File) => void) {
      isHeard = true;
      heard(new File(['hello'], 'a.txt'));
    }
  }
  const text = inputText([new Arriving(), long]);
  // As soon as promises get their turn, which is before anybody else does.
  await Promise.resolve();
  expect(isHeard).toBe(true);
  expect(await text).toContain('"a.txt"');
});

test('an object of JSON with a member `promise` is JSON', () => {
  expect(inputText({ promise: 'to pay' })).toBe('{"promise":"to pay"}');
});

/** More than is read in one go. */
const long = Array.from({ length: 20_000 }, (_, at) => [at]);

async function failing(): Promise<File> {
  throw new Error('the upload was aborted');
}

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
