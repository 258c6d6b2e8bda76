import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { inputText } from './input-text.ts';

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');

describe('bytes in an input', () => {
  test('are marked outside quotes, where no JSON value can be', () => {
    expect(inputText({ data: new TextEncoder().encode('abc') })).toBe(
      `{"data":<bytes:${sha256('abc')}>}`,
    );
  });

  test('are the same bytes as a Uint8Array, a Buffer, an ArrayBuffer or part of one', () => {
    const bytes = Uint8Array.from([1, 2, 3]);
    const part = new Uint8Array([0, 1, 2, 3, 4]).subarray(1, 4);
    const texts = [bytes, Buffer.from(bytes), bytes.buffer, part].map((input) => inputText(input));

    expect(new Set(texts).size).toBe(1);
  });

  test('differ when one of them does', () => {
    expect(inputText(new Uint8Array([1, 2]))).not.toBe(inputText(new Uint8Array([1, 3])));
    expect(inputText(new Uint8Array([]))).not.toBe(inputText(new Uint8Array([0])));
  });

  test('a Buffer is not the object that its toJSON makes', () => {
    const buffer = Buffer.from('abc');

    expect(inputText(buffer)).not.toBe(inputText(buffer.toJSON()));
  });

  test('numbers of another width are refused: their bytes depend on the machine', () => {
    expect(() => inputText(new Float64Array(1))).toThrow(
      expect.objectContaining({ details: { problem: 'not-json' } }),
    );
  });
});

describe('files in an input', () => {
  const file = (content: string, options: { name?: string; type?: string; at?: number } = {}) =>
    new File([content], options.name ?? 'me.png', {
      type: options.type ?? 'image/png',
      lastModified: options.at ?? 1,
    });

  test('are described by name, type, size and content, in the order they occur', async () => {
    const text = await inputText({ b: file('bb', { name: 'b.png' }), a: new Blob(['a']) });

    expect(text).toBe(
      '{"a":<file:0>,"b":<file:1>}' +
        `<files:[[null,"",1,"${sha256('a')}"],["b.png","image/png",2,"${sha256('bb')}"]]>`,
    );
  });

  test('are the same when all of that is, whenever they were modified', async () => {
    expect(await inputText(file('abc', { at: 1 }))).toBe(await inputText(file('abc', { at: 2 })));
  });

  test.each([
    ['content of the same length', file('abd')],
    ['length', file('abcd')],
    ['name', file('abc', { name: 'you.png' })],
    ['type', file('abc', { type: 'image/gif' })],
  ])('differ with another %s', async (_, other) => {
    expect(await inputText(other)).not.toBe(await inputText(file('abc')));
  });

  test('that changed places differ', async () => {
    const [one, other] = [file('1'), file('2')];

    expect(await inputText([one, other])).not.toBe(await inputText([other, one]));
  });

  test('of a class of its own count by shape, as the ones of GraphQL Yoga', async () => {
    class PonyfillFile {
      name = 'me.png';
      type = 'image/png';
      size = 3;
      async *stream() {
        yield Buffer.from('a');
        yield Buffer.from('bc');
      }
    }

    expect(await inputText(new PonyfillFile())).toBe(await inputText(file('abc')));
  });

  test('that cannot be read reject, and are not taken for empty ones', async () => {
    class BrokenFile {
      name = 'me.png';
      type = 'image/png';
      size = 3;
      stream(): AsyncIterable<Uint8Array> {
        throw new Error('the upload was aborted');
      }
    }

    await expect(inputText(new BrokenFile())).rejects.toThrow('the upload was aborted');
  });
});

describe('a form as input', () => {
  const form = (...entries: [string, string | Blob][]) => {
    const data = new FormData();
    for (const [name, value] of entries) data.append(name, value);
    return data;
  };

  test('is its entries in order, without a promise when it has no files', () => {
    expect(inputText(form(['b', '1'], ['a', '2'], ['b', '3']))).toBe(
      '<form:[["b","1"],["a","2"],["b","3"]]>',
    );
  });

  test('counts the content of its files', async () => {
    const upload = (content: string) => form(['to', 'Ada'], ['photo', new Blob([content])]);

    expect(await inputText(upload('abc'))).toBe(await inputText(upload('abc')));
    expect(await inputText(upload('abc'))).not.toBe(await inputText(upload('abd')));
    expect(await inputText(upload('abc'))).toMatch(
      /^<form:\[\["to","Ada"\],\["photo",<file:0>\]\]>/,
    );
  });

  test('differs from the same entries as JSON, and with another order', () => {
    const one = inputText(form(['a', '1'], ['b', '2']));

    expect(inputText(form(['b', '2'], ['a', '1']))).not.toBe(one);
    expect(
      inputText([
        ['a', '1'],
        ['b', '2'],
      ]),
    ).not.toBe(one);
  });

  test('may be URL-encoded', () => {
    expect(inputText(new URLSearchParams('a=1&b=2&a=3'))).toBe(
      '<form:[["a","1"],["b","2"],["a","3"]]>',
    );
  });
});

describe('an input of JSON', () => {
  test.each([
    { size: 1, type: 'image/png', name: 'me.png', stream: 'x' },
    { entries: [], getAll: [] },
    { bytes: [1] },
    { promise: 'to pay', then: 'later' },
    '<file:0>',
  ])('is never taken for a file, a form or bytes: %j', (input) => {
    expect(inputText(input)).not.toMatch(/[:[]<|^</);
  });
});
