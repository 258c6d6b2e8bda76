const batching = 'packages/postgres/src/batching/';
const lane = [`${batching}batch-lane.test.ts`];
const postgres = [`${batching}pg-batches.test.ts`];

/** @type {import('./runner/mutants.mjs').Mutant[]} */
export const mutants = [
  {
    name: 'one scope may take every place',
    file: `${batching}fair-queue.ts`,
    find: '    if (line.length > 0) this.#lines.set(scope, line);\n    this.#size--;',
    replace:
      '    const others = [...this.#lines];\n    this.#lines.clear();\n    if (line.length > 0) this.#lines.set(scope, line);\n    for (const [each, items] of others) this.#lines.set(each, items);\n    this.#size--;',
    tests: [`${batching}fair-queue.test.ts`],
  },
  {
    name: 'rows are locked as statements come',
    file: `${batching}batch-lane.ts`,
    find: 'return batch.sort(byRecord);',
    replace: 'return batch.sort(byRecord).reverse();',
    tests: lane,
  },
  {
    name: 'what is in doubt is sent again',
    file: `${batching}batch-lane.ts`,
    find: 'reject(end.cause);',
    replace: 'this.#options.sendAlone(statement).then(resolve, reject);',
    tests: lane,
  },
  {
    name: 'one that is refused takes the others with it',
    file: `${batching}batch-lane.ts`,
    find: 'this.#options.sendAlone(statement).then(resolve, reject);',
    replace: "reject(new Error('refused'));",
    tests: [...lane, ...postgres],
  },
  {
    name: 'a batch has no end',
    file: `${batching}batch-lane.ts`,
    find: 'batch.length < maxStatements && bytes < maxBytes',
    replace: 'batch.length < maxStatements * 100 && bytes < maxBytes * 100',
    tests: lane,
  },
  {
    name: 'any number may wait',
    file: `${batching}batch-lane.ts`,
    find: 'if (this.#waiting.size >= maxWaiting) {',
    replace: 'if (this.#waiting.size > maxWaiting * 1_000) {',
    tests: lane,
  },
  {
    name: 'every statement flies alone',
    file: `${batching}batch-lane.ts`,
    find: 'if (this.#flights < maxFlights) void',
    replace: 'if (this.#flights < maxFlights * 1_000) void',
    tests: [...lane, ...postgres],
  },
  {
    name: 'answers are dealt out in another order',
    file: `${batching}batch-lane.ts`,
    find: 'resolve(end.rows[at] ?? []);',
    replace: 'resolve(end.rows.at(-1 - at) ?? []);',
    tests: [...lane, ...postgres],
  },
  {
    name: 'a batch waits for a row that somebody holds',
    file: `${batching}pg-batches.ts`,
    find: "waitAtMost('100ms')",
    replace: "waitAtMost('45s')",
    tests: postgres,
  },
  {
    name: 'a server that shuts down is taken to have undone everything',
    file: `${batching}pg-batches.ts`,
    find: '!/^(?:08|25P0[34]|53|57P|58|XX)/.test(state)',
    replace: '!/^(?:08|25P0[34]|53|58|XX)/.test(state)',
    tests: postgres,
  },
  {
    name: 'a server without disk space is taken to have undone everything',
    file: `${batching}pg-batches.ts`,
    find: '!/^(?:08|25P0[34]|53|57P|58|XX)/.test(state)',
    replace: '!/^(?:08|25P0[34]|57P|58|XX)/.test(state)',
    tests: postgres,
  },
  {
    name: 'a value that cannot be written takes its batch with it',
    file: 'packages/postgres/src/database/pg-flight.ts',
    find: 'let sent = false;',
    replace: 'let sent = true;',
    tests: postgres,
  },
  {
    name: 'a connection that is ended while it is handed over ends the process',
    file: 'packages/postgres/src/database/borrow-client.ts',
    find: 'if (client) lend(client);',
    replace: 'if (client) void Promise.resolve(client).then(lend);',
    tests: ['packages/postgres/src/database/borrow-client.test.ts'],
  },
];
