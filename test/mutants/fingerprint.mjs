const canonical = 'packages/server/src/fingerprint/canonical-json.ts';
const fingerprint = 'packages/server/src/fingerprint/fingerprint.ts';
const text = 'packages/server/src/fingerprint/input-text.ts';
const file = 'packages/server/src/fingerprint/file-digest.ts';
const secrets = 'packages/server/src/fingerprint/secrets.ts';
const tests = ['packages/server/src/fingerprint/'];

/** @type {import('./runner/mutants.mjs').Mutant[]} */
export const mutants = [
  {
    name: 'a __proto__ member does not count',
    file: canonical,
    find: 'shapeOf(Object.keys(object), depth, walk)',
    replace: 'shapeOf(Object.keys(Object.assign({}, object)), depth, walk)',
    tests,
  },
  {
    name: 'members are sorted by locale',
    file: canonical,
    find: 'const names = [...unsorted].sort();',
    replace: 'const names = [...unsorted].sort((a, b) => a.localeCompare(b));',
    tests,
  },
  {
    name: 'members are not sorted',
    file: canonical,
    find: 'const names = [...unsorted].sort();',
    replace: 'const names = [...unsorted];',
    tests,
  },
  {
    name: 'neighbours with as many members are taken for the same shape',
    file: canonical,
    find: 'if (left[index] !== right[index]) return false;',
    replace: 'if (left[index] === undefined) return false;',
    tests,
  },
  {
    name: 'there is no limit of depth',
    file: canonical,
    find: 'if (depth >= walk.maxDepth) refuse',
    replace: 'if (depth >= Infinity) refuse',
    tests,
  },
  {
    name: 'there is no limit of values',
    file: canonical,
    find: "if (walk.valuesLeft < 0) refuse('too-large');",
    replace: "if (walk.valuesLeft < -1e7) refuse('too-large');",
    tests,
  },
  {
    name: 'NaN is written',
    file: canonical,
    find: 'if (Math.abs(number) < 2 ** 53) return String(number);',
    replace: 'if (!(Math.abs(number) >= 2 ** 53)) return String(number);',
    tests,
  },
  {
    name: 'whole numbers beyond 2^53 are written',
    file: canonical,
    find: 'if (Math.abs(number) < 2 ** 53) return String(number);',
    replace: 'if (Number.isFinite(number)) return String(number);',
    tests,
  },
  {
    name: 'half of a surrogate pair is written',
    file: canonical,
    find: "  if (loneSurrogate.test(text)) refuse('lone-surrogate');\n",
    replace: '',
    tests,
  },
  {
    name: 'a Map is an empty object',
    file: canonical,
    find: 'if (isPlain(value)) return writeMembers(value, depth + 1, walk);',
    replace: 'return writeMembers(value as Readonly<Record<string, unknown>>, depth + 1, walk);',
    tests,
  },
  {
    name: 'a Buffer equals the object its toJSON makes',
    file: canonical,
    find: 'if (!Array.isArray(value) && !isPlain(value)) {',
    replace: 'if (!Array.isArray(value) && !isPlain(value) && !hasToJson(value)) {',
    tests,
  },
  {
    name: 'the fingerprint ignores the operation',
    file: fingerprint,
    find: '`"operation":${canonicalJson(operation)}}`',
    replace: '`"operation":""}`',
    tests,
  },
  {
    name: 'the fingerprint ignores the scope',
    file: fingerprint,
    find: '.update(label + scope)',
    replace: '.update(label)',
    tests,
  },
  {
    name: 'the fingerprint ignores the secret',
    file: fingerprint,
    find: "return createHmac('sha256', secret)",
    replace: "return createHmac('sha256', label)",
    tests,
  },
  {
    name: 'an absent input equals null',
    file: fingerprint,
    find: 'if (input === undefined) return `{${rest}`;\n  const text = inputText(input);',
    replace: 'const text = inputText(input ?? null);',
    tests,
  },
  {
    name: 'an older secret is not recognised',
    file: fingerprint,
    find: 'const secret = secrets.get(version);',
    replace: 'const secret = secrets.get(current);',
    tests,
  },
  {
    name: 'the input is fingerprinted whole in spite of select',
    file: fingerprint,
    find: 'select ? select(input) : input',
    replace: 'input',
    tests,
  },
  {
    name: 'bytes are marked inside quotes',
    file: text,
    find: 'return `<bytes:${sha256(value)}>`;',
    replace: 'return `"<bytes:${sha256(value)}>"`;',
    tests,
  },
  {
    name: 'the content of files does not count',
    file,
    find: 'for await (const chunk of file.stream()) hash.update(chunk);',
    replace: 'for await (const chunk of file.stream()) void chunk;',
    tests,
  },
  {
    name: 'a raw input equals the same bytes inside JSON',
    file: text,
    find: '`<raw:${sha256(value.bytes)}>`',
    replace: '`<bytes:${sha256(value.bytes)}>`',
    tests,
  },
  {
    name: 'a short secret is accepted',
    file: secrets,
    find: 'if (bytes.length >= 16) return bytes;',
    replace: 'if (bytes.length >= 1) return bytes;',
    tests,
  },
  {
    name: 'an id may be used for two secrets',
    file: secrets,
    find: 'if (keys.has(id)) {',
    replace: 'if (keys.has(-id)) {',
    tests,
  },
];
