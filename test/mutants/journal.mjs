const journal = 'packages/client/src/journal/journal.ts';
const courier = 'packages/client/src/journal/courier.ts';
const records = 'packages/client/src/journal/records.ts';
const agenda = 'packages/client/src/journal/agenda.ts';
const afterAttempt = 'packages/client/src/journal/after-attempt.ts';
const body = 'packages/client/src/journal/record-body.ts';
const signIn = 'packages/client/src/journal/sign-in.ts';
const serverTime = 'packages/client/src/journal/server-time.ts';
const outcomes = 'packages/client/src/journal/outcomes.ts';
const wireText = 'packages/client/src/journal/wire-text.ts';
const tests = ['packages/client/src/journal/'];

/** @type {import('./runner/mutants.mjs').Mutant[]} */
export const mutants = [
  {
    name: 'an intent is sent before it is durable',
    file: records,
    find: `    const { kind, row } = await store.insert({ scope, intent: draft.intent, body });
    await this.#see(row);`,
    replace: `    await this.#see({ scope, intent: draft.intent, body, seq: 1, rev: 0.5 });
    await Promise.resolve().then(() => {}).then(() => {}).then(() => {}).then(() => {});
    const { kind, row } = await store.insert({ scope, intent: draft.intent, body });
    await this.#see(row);`,
    tests,
  },
  {
    name: 'it is sent while it is written down that it is',
    file: courier,
    find: 'const marked = await this.#mark(seq);',
    replace: `void this.#mark(seq);
      const marked = { ...dispatch.record, state: 'sending' as const };`,
    tests,
  },
  {
    name: 'it is not written down that it is sent',
    file: courier,
    find: "return { ...atRest(fresh), state: 'sending', attempts: attempts + 1, firstSentAt };",
    replace: "return { ...atRest(fresh), state: 'sending', attempts: attempts + 1 };",
    tests,
  },
  {
    name: 'a record is removed before its handlers have taken the answer',
    file: journal,
    find: '        for (const handler of handlers) await handler(ended);',
    replace: `        await this.#records.remove(seq, isSettled);
        for (const handler of handlers) await handler(ended);`,
    tests,
  },
  {
    name: 'a handler that fails loses the record',
    file: journal,
    find: "return onEvent({ kind: 'handler-failed', record: ended.record, error });",
    replace: "onEvent({ kind: 'handler-failed', record: ended.record, error });",
    tests,
  },
  {
    name: 'what nobody was told is removed',
    file: journal,
    find: '} else if (!awaited && clock.now() - settledAt < keepSettledMs) {',
    replace: '} else if (!awaited && clock.now() < settledAt) {',
    tests,
  },
  {
    name: 'every tab tells its handlers',
    file: journal,
    find: 'if (!this.#leading) return;',
    replace: '',
    tests,
  },
  {
    name: 'a key that was sent is replaced when it is too old',
    file: courier,
    find: 'if (expired && sent) {',
    replace: 'if (expired && sent && keyLifetimeMs < 0) {',
    tests,
  },
  {
    name: 'a key that was sent is sent again when it is too old',
    file: courier,
    find: 'const expired = serverNow >= current.expiresAt;',
    replace: 'const expired = serverNow >= current.expiresAt && current.firstSentAt === undefined;',
    tests,
  },
  {
    name: 'a key that was never sent is sent when it is too old',
    file: courier,
    find: 'const fresh = expired ?',
    replace: 'const fresh = expired && sent ?',
    tests,
  },
  {
    name: 'a key that was sent more than once is replaced because of its time',
    file: afterAttempt,
    find: '    attempts === 1 &&\n',
    replace: '    attempts >= 1 &&\n',
    tests,
  },
  {
    name: 'a new key counts as sent',
    file: afterAttempt,
    find: '    firstSentAt: undefined,\n',
    replace: '',
    tests,
  },
  {
    name: 'what another tab has written is written over',
    file: records,
    find: 'const update = await store.update({ ...entry.row, intent, body });',
    replace: `const newest = await store.get(seq);
      const update = await store.update({ ...(newest ?? entry.row), intent, body });`,
    tests,
  },
  {
    name: 'an update that came too late counts as made',
    file: records,
    find: "      if (update.kind === 'updated') return this.get(seq);",
    replace: "      return update.kind === 'updated' ? this.get(seq) : next;",
    tests,
  },
  {
    name: 'what was removed elsewhere stays',
    file: records,
    find: '    for (const seq of gone) this.#forget(seq);',
    replace: '',
    tests,
  },
  {
    name: 'a record that another user has announced is taken',
    file: records,
    find: 'else if (row.scope === this.#source.scope) await this.#see(row);',
    replace: 'else await this.#see(row);',
    tests,
  },
  {
    name: 'nobody asks who is signed in before a record is sent',
    file: courier,
    find: 'controller?.signal.aborted || options.currentScope() !== options.scope;',
    replace: 'controller?.signal.aborted;',
    tests,
  },
  {
    name: 'a journal that was closed sends what it has marked',
    file: courier,
    find: 'controller?.signal.aborted || options.currentScope() !== options.scope;',
    replace: 'options.currentScope() !== options.scope;',
    tests,
  },
  {
    name: 'lanes are ignored',
    file: agenda,
    find: 'const first = entry.lane === null || this.#lanes.get(entry.lane)?.[0] === entry;',
    replace: 'const first = true;',
    tests,
  },
  {
    name: 'a lane is in the order in which a tab heard of it',
    file: agenda,
    find: 'while (place > 0 && (queue[place - 1]?.seq ?? 0) > entry.seq) place--;',
    replace: '',
    tests,
  },
  {
    name: 'what has to step back in its lane is sent all the same',
    file: agenda,
    find: 'if (queue[1]) this.#ready.delete(queue[1]);',
    replace: '',
    tests,
  },
  {
    name: 'what nobody knows the outcome of does not hold up its lane',
    file: journal,
    find: `      this.#agenda.enter(record, []);
      return this.#outcomes`,
    replace: `      this.#agenda.leave(record);
      return this.#outcomes`,
    tests,
  },
  {
    name: 'what nobody knows the outcome of holds up nothing after a restart',
    file: journal,
    find: `      this.#agenda.enter(record, []);
      return this.#outcomes`,
    replace: '      return this.#outcomes',
    tests,
  },
  {
    name: 'dependencies are ignored',
    file: agenda,
    find: 'if (first && idle && entry.waitsFor.size === 0) this.#ready.add(entry);',
    replace: 'if (first && idle) this.#ready.add(entry);',
    tests,
  },
  {
    name: 'what comes after a failure is sent',
    file: journal,
    find: "if (state !== 'succeeded') await this.#endDependents(record);",
    replace: '',
    tests,
  },
  {
    name: 'what is submitted to come after a failure is sent',
    file: courier,
    find: 'if (current.after.some((id) => fallen.has(id))) {',
    replace: 'if (current.after.length > 99 && fallen.size > 0) {',
    tests,
  },
  {
    name: 'a tab sends what it hears of before it has read what is older',
    file: journal,
    find: `      void this.#open().then(
        () => this.#records.accept(change),
        () => {},
      );`,
    replace: '      void this.#records.accept(change);',
    tests,
  },
  {
    name: 'two clicks are two intents',
    file: journal,
    find: 'intent: submission.intent ?? key,',
    replace: 'intent: key,',
    tests,
  },
  {
    name: 'an intent stays taken after it has settled',
    file: records,
    find: 'const intent = isSettled(next) ? null : next.intent;',
    replace: 'const { intent } = next;',
    tests,
  },
  {
    name: 'the same intent with another input is joined',
    file: journal,
    find: 'if (!record || !same)',
    replace: 'if (!record || (!same && input === operation))',
    tests,
  },
  {
    name: 'a 401 is charged',
    file: afterAttempt,
    find: "reason: 'unauthorized', attempts: record.attempts - 1 };",
    replace: "reason: 'unauthorized' };",
    tests,
  },
  {
    name: 'a 401 ends an intent',
    file: afterAttempt,
    find: "return { ...record, state: 'waiting', reason: 'unauthorized', attempts: record.attempts - 1 };",
    replace: "return settled(record, { state: 'failed', reason: 'refused', answer }, now);",
    tests,
  },
  {
    name: 'every 401 signs in again',
    file: signIn,
    find: 'if (epoch !== this.#epoch || !this.allowsSending) return;',
    replace: '',
    tests,
  },
  {
    name: 'a sign-in that did not help is repeated for ever',
    file: signIn,
    find: "if (this.#state === 'fine' && this.#refresh)",
    replace: 'if (this.#refresh)',
    tests,
  },
  {
    name: 'the wait that an earlier page was asked for is forgotten',
    file: journal,
    find: "else if (state === 'waiting' && !this.#courier.sends(seq)) this.#putOff(record);",
    replace: '',
    tests,
  },
  {
    name: 'a clock that was set back prolongs a wait',
    file: journal,
    find: 'const leftMs = Math.min(delayMs, nextAt - this.#options.clock.now());',
    replace: 'const leftMs = delayMs && nextAt - this.#options.clock.now();',
    tests,
  },
  {
    name: 'a damaged row is sent',
    file: body,
    find: "  if (sum !== checksum(json)) return { kind: 'quarantined', problem: 'corrupt' };\n",
    replace: "  if (sum === undefined) return { kind: 'quarantined', problem: 'corrupt' };\n",
    tests,
  },
  {
    name: 'a row of a later version is sent',
    file: body,
    find: "  if (Number(written) > version) return { kind: 'quarantined', problem: 'newer' };\n",
    replace: '',
    tests,
  },
  {
    name: 'the checksum sees only the length',
    file: body,
    find: 'hash ^ text.charCodeAt(index)',
    replace: 'hash ^ 1',
    tests,
  },
  {
    name: 'a row that cannot be read is removed',
    file: records,
    find: '      this.#source.onQuarantine(quarantined);',
    replace: `      this.#source.onQuarantine(quarantined);
      await this.#source.store.remove(row);`,
    tests,
  },
  {
    name: 'what was readable before is sent on',
    file: records,
    find: `      // What it was before is no longer what is there.
      this.#forget(seq);`,
    replace: '      if (before) this.#entries.set(seq, { ...before, row });',
    tests,
  },
  {
    name: 'any number of records is taken',
    file: journal,
    find: "if (this.#agenda.size >= this.#options.maxRecords) throw new JournalError('full');",
    replace: '',
    tests,
  },
  {
    name: 'many at once are more than are allowed',
    file: journal,
    find: 'const insertion = this.#lastInsertion.then(async () => {',
    replace: 'const insertion = Promise.resolve().then(async () => {',
    tests,
  },
  {
    name: 'an input of any size is taken',
    file: journal,
    find: "if (input.length > maxInputLength) throw new JournalError('too-large');",
    replace: '',
    tests,
  },
  {
    name: 'closing leaves those who wait waiting',
    file: journal,
    find: "for (const record of this.records()) this.#tellWithoutAnswer(record, 'cancelled');",
    replace: '',
    tests,
  },
  {
    name: 'who submits while it is closed is left waiting',
    file: journal,
    find: "if (this.#closed) this.#tellWithoutAnswer(record, 'cancelled');\n    else if (!current)",
    replace: 'if (!current)',
    tests,
  },
  {
    name: 'what others may have sent is said to have done nothing',
    file: journal,
    find: '{ firstSentAt: 0, ...record, state }',
    replace: '{ ...record, state }',
    tests,
  },
  {
    name: 'cancelling what was sent claims that nobody has seen it',
    file: journal,
    find: "return sent ? 'maybe-executed' : 'cancelled';",
    replace: "return sent && !record ? 'maybe-executed' : 'cancelled';",
    tests,
  },
  {
    name: 'cancelling does not stop what is under way',
    file: journal,
    find: 'this.#courier.stop(seq);',
    replace: '',
    tests,
  },
  {
    name: 'what is called off is sent',
    file: courier,
    find: 'if (!isLive(current)) return undefined;\n      if (current.after',
    replace: 'if (current.after',
    tests,
  },
  {
    name: 'an answer revives what was called off',
    file: courier,
    find: 'isLive(current) ? afterAttempt(current, result, followUp) : undefined,',
    replace: 'afterAttempt(current, result, followUp),',
    tests,
  },
  {
    name: 'an answer is handed over as the end of what was called off',
    file: journal,
    find: 'if (firsthand?.kind === state)',
    replace: 'if (firsthand)',
    tests,
  },
  {
    name: 'the clock of the server is ignored',
    file: serverTime,
    find: 'return this.#clock.now() + this.#offsetMs;',
    replace: 'return this.#clock.now();',
    tests,
  },
  {
    name: 'the clock is corrected by every second that an answer takes',
    file: serverTime,
    find: 'Math.abs(offsetMs) < smallestOffsetMs ? 0 : offsetMs',
    replace: 'offsetMs',
    tests,
  },
  {
    name: 'two attempts at a time',
    file: journal,
    find: "else if (state === 'waiting' && !this.#courier.sends(seq)) this.#putOff(record);",
    replace: "else if (state === 'waiting') this.#putOff(record);",
    tests,
  },
  {
    name: 'any number of attempts at once',
    file: journal,
    find: 'while (this.#courier.running < concurrency) {',
    replace: 'while (concurrency > 0) {',
    tests,
  },
  {
    name: 'a page that cannot read the store leads for ever',
    file: journal,
    find: 'elected: () => void this.#takeOver().catch(this.#unfit),',
    replace: 'elected: () => void this.#takeOver().catch(this.#unwell),',
    tests,
  },
  {
    name: 'a store that could not be read is not read again',
    file: journal,
    find: 'if (!this.#opened) return void this.#open().catch(this.#unwell);',
    replace: '',
    tests,
  },
  {
    name: 'nobody hears of what a page wrote before it died',
    file: journal,
    find: '        this.#records.announceQueued();\n',
    replace: '',
    tests,
  },
  {
    name: 'a failed write of an answer loses it for those who wait',
    file: courier,
    find: "if (known && result.kind === 'succeeded') outcomes.tellWaiters(known);",
    replace: '',
    tests,
  },
  {
    name: 'a failed write ends the delivery',
    file: courier,
    find: `      options.onEvent({ kind: 'storage-failed', error });
      return delayMs(`,
    replace: `      options.onEvent({ kind: 'storage-failed', error });
      if (error) return undefined;
      return delayMs(`,
    tests,
  },
  {
    name: 'of those who wait, one is told',
    file: outcomes,
    find: 'waiters.push({ resolve, reject });',
    replace: 'waiters[0] = { resolve, reject };',
    tests,
  },
  {
    name: 'what is not JSON is written down as something else',
    file: wireText,
    find: "if (!transformer) checkJson(value, 'the value');",
    replace: '',
    tests,
  },
  {
    name: 'what failed for want of a network waits although it is back',
    file: journal,
    find: 'if (this.#options.network.online()) this.#agenda.hurry((seq) => this.#failedOffline(seq));',
    replace: '',
    tests,
  },
  {
    name: 'the records of another user are sent',
    file: records,
    find: 'for (const row of await store.list(scope)) {',
    replace: `for (const row of [...(await store.list(scope)), ...(await store.list('alice'))]) {`,
    tests,
  },
  {
    name: 'a later revision is replaced by an earlier one',
    file: records,
    find: `    // Decoding takes its time, and a later revision may have overtaken this one.
    if (row.rev <= (before?.row.rev ?? 0)) return;`,
    replace: '',
    tests,
  },
  {
    name: 'what is submitted while a tab takes over is forgotten',
    file: records,
    find: `    const gone = new Set(this.#entries.keys());
    for (const row of await store.list(scope)) {`,
    replace: `    const rows = await store.list(scope);
    const gone = new Set(this.#entries.keys());
    for (const row of rows) {`,
    tests,
  },
  {
    name: 'something is sent while the user is signed in again',
    file: signIn,
    find: `return this.#state === 'fine' || this.#state === 'unproven';`,
    replace: `return this.#state !== 'needed';`,
    tests,
  },
  {
    name: 'a key that is refused for its time is replaced as fast as the network is',
    file: afterAttempt,
    find: 'if (next.key < record.key) return next;',
    replace: 'if (next.key !== record.key) return next;',
    tests: ['packages/client/src/journal/after-attempt'],
  },
];
