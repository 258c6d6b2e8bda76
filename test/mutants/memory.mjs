const store = 'packages/server/src/memory/memory-store.ts';
const records = 'packages/server/src/memory/records-by-name.ts';
const tests = ['packages/server/src/memory/'];

/** @type {import('./runner/mutants.mjs').Mutant[]} */
export const mutants = [
  {
    name: 'the memory store completes whatever the token',
    file: store,
    find: "if (record?.lease.token !== lease.token || record.state === 'released') return 'lease-lost';\n    if (record.state !== 'completed')",
    replace: "if (!record) return 'lease-lost';\n    if (record.state !== 'completed')",
    tests,
  },
  {
    name: 'the memory store compares the fingerprint only while the record is in progress',
    file: store,
    find: 'if (!sameFingerprint(record.fingerprint, request.fingerprint)) {',
    replace:
      "if (record.state === 'in-progress' && !sameFingerprint(record.fingerprint, request.fingerprint)) {",
    tests,
  },
  {
    name: 'the memory store prunes records that nobody knows the outcome of',
    file: store,
    find: "const settled = record.state === 'completed' || record.state === 'released';",
    replace: "const settled = record.state !== 'in-progress';",
    tests,
  },
  {
    name: 'the memory store lets a late holder take evidence for its own outcome',
    file: store,
    find: 'record.lease = { ...record.lease, token: noToken };',
    replace: 'void noToken;',
    tests,
  },
  {
    name: 'the memory store hands out the bytes that it replays next',
    file: store,
    find: 'outcome: copyOf(outcome), answerExpiresAt',
    replace: 'outcome, answerExpiresAt',
    tests,
  },
  {
    name: 'the memory store gives a record to whoever has its key',
    file: records,
    find: 'if (first ? isNamed(first, name) : this.#shared === 0) return first;',
    replace: 'if (first) return first;',
    tests,
  },
  {
    name: 'the memory store takes an opaque key for a UUID of the same text',
    file: records,
    find: ' && (lease.keyTimestampMs === null) === (keyTimestampMs === null)',
    replace: '',
    tests,
  },
  {
    name: 'the memory store forgets who shared a key when the first of them is gone',
    file: records,
    find: 'this.#shared === 0) return first',
    replace: 'true) return first',
    tests,
  },
  {
    name: 'the memory store has a second record for a name whose key another scope had first',
    file: records,
    find: 'return this.#records.has(whole) ? whole : name.key;',
    replace: 'return name.key;',
    tests,
  },
];
