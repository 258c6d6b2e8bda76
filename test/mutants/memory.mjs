const store = 'packages/server/src/memory/memory-store.ts';
const records = 'packages/server/src/memory/records-by-name.ts';
const packed = 'packages/server/src/memory/packed-records.ts';
const tests = ['packages/server/src/memory/'];

/** @type {import('./runner/mutants.mjs').Mutant[]} */
export const mutants = [
  {
    name: 'the memory store completes whatever the token',
    file: store,
    find: `if (record?.token !== lease.token || record.state === 'released') return 'lease-lost';
    if (record.state !== 'completed')`,
    replace: `if (!record) return 'lease-lost';
    if (record.state !== 'completed')`,
    tests,
  },
  {
    name: 'the memory store compares the fingerprint only while the record is in progress',
    file: store,
    find: 'if (!isFor(record, request.fingerprint)) {',
    replace: "if (record.state === 'in-progress' && !isFor(record, request.fingerprint)) {",
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
    find: `      record.token = noToken;
      this.#become(record, settlement.completion);`,
    replace: '      this.#become(record, settlement.completion);',
    tests,
  },
  {
    name: 'the memory store hands out the bytes that it replays next',
    file: 'packages/server/src/memory/kept-answer.ts',
    find: 'return { kind, answer: Buffer.from(answer) };',
    replace: 'return { kind, answer: answer as Uint8Array };',
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
    find: ' && (record.keyTimestampMs === null) === (keyTimestampMs === null)',
    replace: '',
    tests,
  },
  {
    name: 'the lease of a record that was taken over still completes it',
    file: store,
    find: 'if (record) record.token = noToken;',
    replace: '',
    tests,
  },
  {
    name: 'a lease is good for any store',
    file: 'packages/server/src/memory/memory-lease.ts',
    find: ' && lease.#store === store',
    replace: '',
    tests,
  },
  {
    name: 'a record changes after it was packed',
    file: store,
    find: `      record.token = noToken;
      this.#become(record, settlement.completion);`,
    replace: `      this.#become(record, settlement.completion);
      record.token = noToken;`,
    tests,
  },
  {
    name: 'a lease knows its record for ever',
    file: store,
    find: "record?.state === 'in-progress' ? record : this.#records.get(lease)",
    replace: 'record ?? this.#records.get(lease)',
    tests,
  },
  {
    name: 'an answer that was dropped comes back',
    file: store,
    find: `    this.#records.set(record, record);
    this.#records.pack(record, now);
`,
    replace: '',
    tests,
  },
  {
    name: 'packed records are not counted',
    file: store,
    find: "'in-progress': 0, released: 0, completed, unknown: 0",
    replace: "'in-progress': 0, released: 0, completed: 0 * completed, unknown: 0",
    tests,
  },
  {
    name: 'a record is packed over the one that took its place',
    file: records,
    find: 'if (this.#records.get(record.key) === record) return record.key;',
    replace: 'if (this.#records.has(record.key)) return record.key;',
    tests,
  },
  {
    name: 'a record that has left comes back when it is packed',
    file: records,
    find: 'return this.#records.get(whole) === record ? whole : undefined;',
    replace: 'return whole;',
    tests,
  },
  {
    name: 'completed records stay objects',
    file: records,
    find: 'if (packed !== undefined) this',
    replace: 'if (packed === -1) this',
    tests,
  },
  {
    name: 'what cannot be packed is packed all the same',
    file: 'packages/server/src/memory/packed-record.ts',
    find: 'textBytes !== text.length &&',
    replace: 'textBytes < 0 &&',
    tests,
  },
  {
    name: 'a packed record outlives its removal',
    file: packed,
    find: '    erase(slab, place % slabSteps);\n',
    replace: '',
    tests,
  },
  {
    name: 'memory of packed records is never given back',
    file: packed,
    find: 'if (slab.records === 0 && !this.#isFilling(number)) this.#slabs.delete(number);',
    replace: '',
    tests,
  },
  {
    name: 'records with little time share memory with those that have much',
    file: packed,
    find: 'Math.ceil(Math.log2(Math.max(1, changesAt(record) - now)))',
    replace: '0 * (changesAt(record) - now)',
    tests,
  },
  {
    name: 'what has lost its answer is packed among what loses it next',
    file: packed,
    find: "const losesAnswer = outcome !== 'unavailable' && answerExpiresAt < keyExpiresAt;",
    replace: 'const losesAnswer = outcome && answerExpiresAt < keyExpiresAt;',
    tests,
  },
  {
    name: 'what has lost its answer is due for ever',
    file: 'packages/server/src/memory/packed-record.ts',
    find: '  if (slab.counts[countsFrom(step) + Count.outcome] === unavailable) return false;\n',
    replace: '',
    tests,
  },
  {
    name: 'what is answered as long as its key is known is packed as if for ever',
    file: packed,
    find: '  if (answerExpiresAt === Infinity) return keyExpiresAt;\n',
    replace: '',
    tests,
  },
  {
    name: 'who looked into an outcome that is known by now is told that nothing has changed',
    file: store,
    find: '    record.looks = noLooks;\n    this.#records.pack',
    replace: '    this.#records.pack',
    tests,
  },
  {
    name: 'a slab that is full and empty is kept',
    file: packed,
    find: '      if (slab?.records === 0) this.#slabs.delete(filling);\n',
    replace: '',
    tests,
  },
  {
    name: 'a key that was free once is free for ever',
    file: records,
    find: '    this.#records.set(place, record);\n    this.#free = undefined;\n',
    replace: '    this.#records.set(place, record);\n',
    tests,
  },
  {
    name: 'inputs wait for their digest for ever',
    file: 'packages/server/src/memory/late-digests.ts',
    find: 'this.#waiting.push(record) < atOnce',
    replace: 'this.#waiting.push(record) > 0',
    tests,
  },
  {
    name: 'a long answer is kept in another encoding',
    file: 'packages/server/src/memory/kept-answer.ts',
    find: '  return Buffer.from(answer);\n}\n\nconst',
    replace: `  return Buffer.from(answer.toString(), 'latin1');
}

const`,
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
