const folder = 'packages/client/src/devtools';
const tests = [`${folder}/`];
const bundles = ['test/packaging/devtools-bundle.test.ts'];

/** @type {import('./runner/mutants.mjs').Mutant[]} */
export const mutants = [
  {
    name: 'a dropped network lets attempts pass',
    file: `${folder}/network-switch.ts`,
    find: 'if (dropped) throw new DroppedNetworkError();',
    replace: '',
    tests,
  },
  {
    name: 'an answer on its way survives a dropped network',
    file: `${folder}/network-switch.ts`,
    find: 'for (const cut of underWay) cut(new DroppedNetworkError());',
    replace: '',
    tests,
  },
  {
    name: 'a dropped network looks like a forgotten key',
    file: `${folder}/watched-senders.ts`,
    find: 'attempt.takeKey();',
    replace: '',
    tests,
  },
  {
    name: 'who sends for itself is not watched',
    file: `${folder}/watch-journal.ts`,
    find: 'return submit.call(journal, { ...submission, key }, watched);',
    replace: 'return submit.call(journal, { ...submission, key }, watched && send);',
    tests,
  },
  {
    name: 'a panel that is gone leaves the network dropped',
    file: `${folder}/watch-journal.ts`,
    find: '      network.mend();\n      uncover();\n',
    replace: '',
    tests,
  },
  {
    name: 'a panel that is gone still covers the journal',
    file: `${folder}/watch-journal.ts`,
    find: 'else Reflect.deleteProperty(object, name);',
    replace: '',
    tests,
  },
  {
    name: 'retrying one now retries all',
    file: `${folder}/retry-now.ts`,
    find: "records.filter(({ state }) => state === 'waiting')",
    replace: "journal.records().filter(({ state }) => state === 'waiting')",
    tests,
  },
  {
    name: 'a retry leaves a wrong reason behind',
    file: `${folder}/retry-now.ts`,
    find: 'claim(record, reasons[index]);',
    replace: 'void [record, reasons, index];',
    tests,
  },
  {
    name: 'a retry heeds what the server asked for',
    file: `${folder}/retry-now.ts`,
    find: "claim(record, 'network');",
    replace: 'void record;',
    tests,
  },
  {
    name: 'attempts of other tabs pass for our own',
    file: `${folder}/intent-log.ts`,
    find: 'startedAt: this.#now(), here: false',
    replace: 'startedAt: this.#now(), here: true',
    tests,
  },
  {
    name: 'an answer that comes too late rewrites what happened',
    file: `${folder}/intent-log.ts`,
    find: '|| last.end) return;',
    replace: ') return;',
    tests,
  },
  {
    name: 'the log grows without end',
    file: `${folder}/intent-log.ts`,
    find: '    this.#trim();\n',
    replace: '',
    tests,
  },
  {
    name: 'records without a lane seem to wait for each other',
    file: `${folder}/why-waiting.ts`,
    find: 'lane !== null && lane === record.lane',
    replace: 'lane === record.lane',
    tests,
  },
  {
    name: 'what has settled seems to be in the way',
    file: `${folder}/why-waiting.ts`,
    find: 'other.seq < record.seq && !isSettled(other)',
    replace: 'other.seq < record.seq',
    tests,
  },
  {
    name: 'an input is in the page before it is asked for',
    file: `${folder}/hidden-text.ts`,
    find: "setText(content, shown ? (text ?? '') : '');",
    replace: "setText(content, text ?? '');",
    tests: ['test/e2e/devtools/devtools.test.ts'],
  },
  {
    name: 'production does something, if little',
    file: `${folder}/production.ts`,
    find: 'return () => {};',
    replace: 'options.journal.resume();\n  return () => {};',
    tests: bundles,
  },
];
