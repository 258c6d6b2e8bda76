const memory = 'packages/client/src/journal/memory-journal.ts';
const tests = ['packages/client/src/journal/memory-journal'];

/** @type {import('./runner/mutants.mjs').Mutant[]} */
export const mutants = [
  {
    name: 'two rows have one intent',
    file: memory,
    find: "if (running) return { kind: 'joined', row: running };",
    replace: 'void running;',
    tests,
  },
  {
    name: 'rows without an intent join each other',
    file: memory,
    find: 'intent === null ? undefined : ',
    replace: '',
    tests,
  },
  {
    name: 'an empty intent is none',
    file: memory,
    find: 'intent === null ? undefined : ',
    replace: '!intent ? undefined : ',
    tests,
  },
  {
    name: 'an intent joins a row of another scope',
    file: memory,
    find: ' && row.scope === scope;',
    replace: ';',
    tests,
  },
  {
    name: 'the number of a removed row is given again',
    file: memory,
    find: 'seq: ++lastSeq',
    replace: 'seq: (lastSeq = Math.max(0, ...rows.keys()) + 1)',
    tests,
  },
  {
    name: 'update whatever the revision',
    file: memory,
    find: 'if (current?.rev !== rev) return',
    replace: 'if (!current) return',
    tests,
  },
  {
    name: 'an update keeps the revision',
    file: memory,
    find: 'rev: rev + 1',
    replace: 'rev',
    tests,
  },
  {
    name: 'an update does not give up the intent',
    file: memory,
    find: '{ ...current, intent, body, rev: rev + 1 }',
    replace: '{ ...current, intent: intent ?? current.intent, body, rev: rev + 1 }',
    tests,
  },
  {
    name: 'an update moves a row to another scope',
    file: memory,
    find: 'async update({ seq, rev, intent, body }) {\n      const current = rows.get(seq);',
    replace:
      'async update({ seq, rev, intent, body, scope }) {\n      const current = rows.has(seq) ? { ...rows.get(seq)!, scope } : undefined;',
    tests,
  },
  {
    name: 'remove whatever the revision',
    file: memory,
    find: 'if (rows.get(seq)?.rev !== rev) return',
    replace: 'if (!rows.has(seq)) return',
    tests,
  },
  {
    name: 'the rows of every scope are listed',
    file: memory,
    find: '.filter((row) => row.scope === scope)',
    replace: '',
    tests,
  },
  {
    name: 'the rows of this scope are counted with the others',
    file: memory,
    find: '.filter((row) => row.scope !== scope)',
    replace: '',
    tests,
  },
  {
    name: 'an updated row goes to the end of the list',
    file: memory,
    find: 'rows.set(seq, row);',
    replace: 'rows.delete(seq);\n      rows.set(seq, row);',
    tests,
  },
];
