const source = 'packages/client/src/journal';
const attemptRecord = `${source}/attempt-record.ts`;
const beforeAttempt = `${source}/before-attempt.ts`;
const afterAttempt = `${source}/after-attempt.ts`;
const conclude = `${source}/conclude.ts`;
const dispatch = `${source}/dispatch.ts`;
const lead = `${source}/lead.ts`;
const records = `${source}/records.ts`;
const body = `${source}/record-body.ts`;
const startJournal = `${source}/start-journal.ts`;
const submit = `${source}/submit.ts`;
const submission = `${source}/submission.ts`;
const waiting = `${source}/waiting.ts`;
const settledIntent = `${source}/settled-intent.ts`;
const settlementOf = `${source}/settlement-of.ts`;
const journal = `${source}/journal.ts`;
const signIn = `${source}/sign-in.ts`;
const serverTime = `${source}/server-time.ts`;
const wireText = `${source}/wire-text.ts`;

/** The tests of one theme, by the beginning of their name. */
const of = (/** @type {string[]} */ ...themes) => themes.map((theme) => `${source}/${theme}`);

/** What must be noticed on random schedules, without a test that was written for it. */
const byRules = of('journal-rules');

/** @type {import('./runner/mutants.mjs').Mutant[]} */
export const mutants = [
  {
    name: 'an intent is sent before it is durable',
    file: records,
    find: `    const { kind, row } = await store.insert({ scope, intent: draft.intent, body });
    const { seq, rev } = row;`,
    replace: `    await this.#accept({ seq: 1, row: { scope, intent: draft.intent, body, seq: 1, rev: 0.5 } });
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    const { kind, row } = await store.insert({ scope, intent: draft.intent, body });
    const { seq, rev } = row;`,
    tests: of('submitting'),
  },
  {
    name: 'it is sent before it is written down that it is',
    file: attemptRecord,
    find: '    const marked = await mark(journal, seq);',
    replace: `    const before = journal.records.get(seq);
    const marked = before && { ...before, state: 'sending' as const, attempts: before.attempts + 1 };
    void mark(journal, seq).catch(() => {});`,
    tests: byRules,
  },
  {
    name: 'it is not written down that it is sent',
    file: beforeAttempt,
    find: '    firstSentAt: firstSentAt ?? now,\n',
    replace: '',
    tests: byRules,
  },
  {
    name: 'a channel is given the record from before it was marked',
    file: attemptRecord,
    find: 'run.channel.send(fromText(record.input, options.transformer), attempt, record)',
    replace:
      'run.channel.send(fromText(record.input, options.transformer), attempt, { ...record, attempts: record.attempts - 1 })',
    tests: of('delivering'),
  },
  {
    name: 'a record is removed before its handlers have taken the answer',
    file: conclude,
    find: '    for (const { handler } of handlersOf(journal, record)) await handler(end);',
    replace: `    await journal.records.remove(record);
    for (const { handler } of handlersOf(journal, record)) await handler(end);`,
    tests: byRules,
  },
  {
    name: 'a record is removed before what comes after it is told',
    file: conclude,
    find: '    await tellFollowers(journal, record);\n',
    replace: `    await journal.records.remove(record);
    await tellFollowers(journal, record);
`,
    tests: byRules,
  },
  {
    name: 'a handler that fails loses the record',
    file: conclude,
    find: "    journal.options.onEvent({ kind: 'handler-failed', record, error });\n    return false;",
    replace:
      "    journal.options.onEvent({ kind: 'handler-failed', record, error });\n    return true;",
    tests: of('restarts'),
  },
  {
    name: 'what nobody was told is removed',
    file: conclude,
    find: ': told || old;',
    replace: ': told || old || settledAt > 0;',
    tests: byRules,
  },
  {
    name: 'what nobody asks for is kept for ever',
    file: conclude,
    find: ': told || old;',
    replace: ': told || (old && settledAt < 0);',
    tests: of('restarts'),
  },
  {
    name: 'every tab tells its handlers',
    file: conclude,
    find: '? end && journal.leading && (await tellHandlers(journal, end))',
    replace: '? end && (await tellHandlers(journal, end))',
    tests: of('tabs'),
  },
  {
    name: 'what is being handed over is handed over again',
    file: conclude,
    find: '  if (concluding.has(seq)) return;\n',
    replace: '',
    tests: of('restarts'),
  },
  {
    name: 'who asks while a handler is told waits for ever',
    file: conclude,
    find: `  const told = end && tellWaiters(journal, end);
  if (concluding.has(seq)) return;
  concluding.add(seq);`,
    replace: `  if (concluding.has(seq)) return;
  concluding.add(seq);
  const told = end && tellWaiters(journal, end);`,
    tests: of('restarts'),
  },
  {
    name: 'a key that was sent is replaced when it is too old',
    file: beforeAttempt,
    find: '  if (tooOld && firstSentAt !== undefined) return settled(record, expired, now);\n',
    replace: '',
    tests: byRules,
  },
  {
    name: 'a key that was sent is sent again when it is too old',
    file: beforeAttempt,
    find: 'const tooOld = serverNow >= record.expiresAt;',
    replace: 'const tooOld = serverNow >= record.expiresAt && record.firstSentAt === undefined;',
    tests: of('keys'),
  },
  {
    name: 'a key that was never sent is sent when it is too old',
    file: beforeAttempt,
    find: '    ...(tooOld && freshKey()),\n',
    replace: '',
    tests: of('keys'),
  },
  {
    name: 'a key that grows too old while it is marked is sent',
    file: attemptRecord,
    find: 'marked && journal.serverTime.now() < marked.expiresAt && options.isCurrent();',
    replace: 'marked && options.isCurrent();',
    tests: of('keys'),
  },
  {
    name: 'a key that was sent more than once is replaced because of its time',
    file: afterAttempt,
    find: 'if (record.attempts > 1) return',
    replace: 'if (record.attempts > 99) return',
    tests: of('after-attempt'),
  },
  {
    name: 'what may have been executed has failed when a server’s clock is behind',
    file: afterAttempt,
    find: 'settled(record, disputed, now);',
    replace: "settled(record, endingFor('refused', answer), now);",
    tests: of('after-attempt'),
  },
  {
    name: 'a key is replaced after every failure',
    file: afterAttempt,
    find: "  if (verdict.kind === 'retry') return waiting(record, verdict, options);",
    replace:
      "  if (verdict.kind === 'retry') return waiting({ ...record, ...followUp.freshKey() }, verdict, options);",
    tests: byRules,
  },
  {
    name: 'a new key counts as sent',
    file: afterAttempt,
    find: '    firstSentAt: undefined,\n',
    replace: '',
    tests: of('after-attempt'),
  },
  {
    name: 'what was said about an intent stays when it is sent again',
    file: afterAttempt,
    find: '    settledAt: undefined,\n',
    replace: '',
    tests: of('keys'),
  },
  {
    name: 'what another tab has written is written over',
    file: records,
    find: 'const { kind, row } = await store.update({ seq, rev, scope, intent, body });',
    replace: `const { rev: newest = rev } = (await store.get(seq)) ?? {};
      const { kind, row } = await store.update({ seq, rev: newest, scope, intent, body });`,
    tests: byRules,
  },
  {
    name: 'an update that came too late counts as made',
    file: records,
    find: "      if (kind === 'updated') return this.get(seq) ?? next;",
    replace: "      return kind === 'updated' ? (this.get(seq) ?? next) : next;",
    tests: of('tabs'),
  },
  {
    name: 'what was removed elsewhere stays',
    file: records,
    find: '    for (const seq of known) changes.push({ seq });\n',
    replace: '',
    tests: of('tabs'),
  },
  {
    name: 'what is removed while everything is read comes back',
    file: records,
    find: '    this.#revs.set(seq, Infinity);\n',
    replace: '    this.#revs.delete(seq);\n',
    tests: of('tabs'),
  },
  {
    name: 'nobody is told what was found by reading everything again',
    file: records,
    find: '    if (this.#loaded) for (const change of changes) store.tabs?.announce(change);\n',
    replace: '',
    tests: of('tabs'),
  },
  {
    name: 'a page that opens announces every row there is',
    file: records,
    find: '    if (this.#loaded) for (const change',
    replace: '    if (this.#loaded || changes) for (const change',
    tests: of('tabs'),
  },
  {
    name: 'nobody is told what was found by writing too late',
    file: records,
    find: `      await this.#announce({ seq, row });
      // Whoever was told of it may have removed it already.`,
    replace: `      if (kind === 'updated') await this.#announce({ seq, row });
      else await this.#accept({ seq, row });`,
    tests: of('tabs'),
  },
  {
    name: 'a record that another user has announced is taken',
    file: records,
    find: 'if (!change.row || change.row.scope === this.#options.scope) await this.#see([change]);',
    replace: 'await this.#see([change]);',
    tests: of('accounts'),
  },
  {
    name: 'nobody asks who is signed in before a record is sent',
    file: attemptRecord,
    find: 'journal.serverTime.now() < marked.expiresAt && options.isCurrent();',
    replace: 'journal.serverTime.now() < marked.expiresAt;',
    tests: of('accounts'),
  },
  {
    name: 'nobody asks who is signed in before a record is marked',
    file: dispatch,
    find: "signIn.state !== 'needed' && options.isCurrent();",
    replace: "signIn.state !== 'needed';",
    tests: of('accounts'),
  },
  {
    name: 'a journal that was closed sends what it has marked',
    file: attemptRecord,
    find: 'journal.closed || controller?.signal.aborted',
    replace: 'controller?.signal.aborted',
    tests: of('accounts'),
  },
  {
    name: 'what is called off once it is marked is sent',
    file: attemptRecord,
    find: 'journal.closed || controller?.signal.aborted',
    replace: 'journal.closed',
    tests: of('delivering'),
  },
  {
    name: 'lanes are ignored',
    file: dispatch,
    find: 'const lane = record.lane ?? id;',
    replace: 'const lane = id;',
    tests: byRules,
  },
  {
    name: 'records are in the order in which a tab heard of them',
    file: records,
    find: '[...this.values()].sort((one, other) => one.seq - other.seq)',
    replace: '[...this.values()]',
    tests: of('tabs'),
  },
  {
    name: 'what nobody knows the outcome of does not hold up its lane',
    file: dispatch,
    find: '    if (isSettled(record)) continue;\n',
    replace: '    if (!isLive(record) || isSettled(record)) continue;\n',
    tests: of('lanes'),
  },
  {
    name: 'what nobody knows the outcome of is sent',
    file: dispatch,
    find: 'if (behind || !channel || !isLive(record) || running.has(seq)) continue;',
    replace: 'if (behind || !channel || running.has(seq)) continue;',
    tests: of('delivering'),
  },
  {
    name: 'dependencies are ignored',
    file: dispatch,
    find: 'const behind = [lane, ...after].some((name) => ahead.has(name));',
    replace: 'const behind = [lane].some((name) => ahead.has(name)) && after.length > -1;',
    tests: of('lanes'),
  },
  {
    name: 'what comes after a failure is sent',
    file: beforeAttempt,
    find: '  if (!record.after.every((id) => ends.get(id))) return settled(record, orphaned, now);\n',
    replace:
      '  if (!record.after.every((id) => ends.get(id) !== false)) return settled(record, orphaned, now);\n',
    tests: byRules,
  },
  {
    name: 'what comes after something whose end nobody has seen is sent',
    file: beforeAttempt,
    find: '  if (!record.after.every((id) => ends.get(id))) return settled(record, orphaned, now);\n',
    replace:
      '  if (!record.after.every((id) => ends.get(id) !== false)) return settled(record, orphaned, now);\n',
    tests: of('lanes'),
  },
  {
    name: 'what comes after a success is not freed before that is removed',
    file: conclude,
    find: 'return { ...current, after: current.after.filter((other) => other !== id) };',
    replace: 'return undefined;',
    tests: of('lanes'),
  },
  {
    name: 'what comes after a failure waits until it could be sent to be told',
    file: conclude,
    find: "      if (state !== 'succeeded') return settled(current, orphaned, options.clock.now());\n",
    replace: "      if (state !== 'succeeded') return undefined;\n",
    tests: of('lanes'),
  },
  {
    name: 'what is submitted to come after a failure is sent',
    file: submit,
    find: '!(ends.get(id) ?? !records.withId(id))',
    replace: 'records.withId(id)',
    tests: of('lanes'),
  },
  {
    name: 'what is submitted waits for what is long gone',
    file: submit,
    find: 'const after = draft.after.filter((id) => !(ends.get(id) ?? !records.withId(id)));',
    replace: 'const { after } = { ...draft, ends };',
    tests: of('lanes'),
  },
  {
    name: 'what is submitted before the journal is read comes after nothing',
    file: submit,
    find: '  await journal.opened();\n  checkRoom',
    replace:
      '  const early = draft.after.filter((id) => records.withId(id));\n  await journal.opened();\n  draft = { ...draft, after: early };\n  checkRoom',
    tests: of('lanes'),
  },
  {
    name: 'a tab takes in what it hears before it has read what is older',
    file: startJournal,
    find: '    await opened();\n    if (change.seq > 0) records.hear(change);',
    replace: '    if (change.seq > 0) records.hear(change);',
    tests: of('tabs'),
  },
  {
    name: 'two clicks are two intents',
    file: submission,
    find: 'intent: submission.intent ?? key,',
    replace: 'intent: key,',
    tests: of('submitting'),
  },
  {
    name: 'an intent stays taken after it has settled',
    file: records,
    find: 'const intent = isSettled(next) ? null : next.intent;',
    replace: 'const { intent } = next;',
    tests: of('submitting'),
  },
  {
    name: 'the same intent with another input is joined',
    file: submit,
    find: 'if (record?.operation !== draft.operation || record.input !== draft.input) {',
    replace: 'if (record?.operation !== draft.operation) {',
    tests: of('submitting'),
  },
  {
    name: 'a 401 is charged',
    file: afterAttempt,
    find: "reason: 'unauthorized', attempts: record.attempts - 1 };",
    replace: "reason: 'unauthorized' };",
    tests: of('after-attempt'),
  },
  {
    name: 'a 401 ends an intent',
    file: afterAttempt,
    find: "return { ...record, state: 'waiting', reason: 'unauthorized', attempts: record.attempts - 1 };",
    replace: "return settled(record, { state: 'failed', reason: 'refused', answer }, now);",
    tests: of('after-attempt'),
  },
  {
    name: 'every 401 signs in again',
    file: signIn,
    find: '    if (epoch !== this.epoch) return;\n',
    replace: '',
    tests: of('sign-in'),
  },
  {
    name: 'a sign-in that did not help is repeated for ever',
    file: signIn,
    find: 'if (this.#refresh && this.#proven)',
    replace: 'if (this.#refresh)',
    tests: of('sign-in'),
  },
  {
    name: 'a sign-in that has run out is not repeated',
    file: signIn,
    find: 'this.#proven ||= epoch === this.epoch;',
    replace: '',
    tests: of('sign-in'),
  },
  {
    name: 'something is sent while the user is signed in again',
    file: dispatch,
    find: "journal.leading && signIn.state === 'fine' && options.network.online()",
    replace: "journal.leading && signIn.state !== 'needed' && options.network.online()",
    tests: of('accounts'),
  },
  {
    name: 'the wait that an earlier page was asked for is forgotten',
    file: dispatch,
    find: 'const leftMs = Math.min(delayMs, nextAt - journal.options.clock.now());',
    replace: 'const leftMs = Math.min(0, delayMs, nextAt);',
    tests: of('restarts'),
  },
  {
    name: 'a clock that was set back prolongs a wait',
    file: dispatch,
    find: 'const leftMs = Math.min(delayMs, nextAt - journal.options.clock.now());',
    replace: 'const leftMs = delayMs && nextAt - journal.options.clock.now();',
    tests: of('restarts'),
  },
  {
    name: 'a wait begins again whenever somebody looks',
    file: dispatch,
    find: '  journal.dueAt.set(record, dueAt);\n',
    replace: '',
    tests: byRules,
  },
  {
    name: 'a damaged row is sent',
    file: body,
    find: "  if (sum !== checksum(body, start)) return 'corrupt';\n",
    replace: "  if (sum === undefined) return 'corrupt';\n",
    tests: of('record-body'),
  },
  {
    name: 'a damaged row is noticed by nobody',
    file: body,
    find: "  if (sum !== checksum(body, start)) return 'corrupt';\n",
    replace: '',
    tests: byRules,
  },
  {
    name: 'a row of a later version is sent',
    file: body,
    find: "  if (Number(written) > version) return 'newer';\n",
    replace: '',
    tests: byRules,
  },
  {
    name: 'the checksum sees only the length',
    file: body,
    find: 'hash ^ text.charCodeAt(index)',
    replace: 'hash ^ 1',
    tests: of('record-body'),
  },
  {
    name: 'a row that cannot be read is removed',
    file: records,
    find: "      this.#options.onEvent({ kind: 'row-quarantined', row });",
    replace: `      this.#options.onEvent({ kind: 'row-quarantined', row });
      void this.#options.store.remove({ seq, rev });`,
    tests: of('quarantine'),
  },
  {
    name: 'a row of which only the number is left is not shown',
    file: records,
    find: '(this.#revs.get(seq) ?? -1)',
    replace: '(this.#revs.get(seq) ?? 0)',
    tests: of('quarantine'),
  },
  {
    name: 'a row that can be read again is shown as one that cannot',
    file: records,
    find: '    this.#quarantined.delete(seq);\n',
    replace: '',
    tests: of('quarantine'),
  },
  {
    name: 'what was readable before is sent on',
    file: records,
    find: '    const change = this.#forget(seq);\n',
    replace: `    const known = this.get(seq);
    if (typeof content === 'string' && known) content = known;
    const change = this.#forget(seq);
    if (content === known && known) content = { ...known, rev };
`,
    tests: of('quarantine'),
  },
  {
    name: 'any number of records is taken',
    file: submit,
    find: 'if (records.size < options.maxRecords) return;',
    replace: 'if (records.size < Infinity) return;',
    tests: byRules,
  },
  {
    name: 'a full journal refuses what would only join',
    file: submit,
    find: '|| live.some((record) => record.intent === intent)) return;',
    replace: "|| live.some((record) => record.intent === intent + '?')) return;",
    tests: of('submitting'),
  },
  {
    name: 'what has settled takes up room',
    file: submit,
    find: 'records.all().filter((record) => !isSettled(record));',
    replace: 'records.all().filter((record) => record || isSettled(record));',
    tests: of('submitting'),
  },
  {
    name: 'many at once are more than are allowed',
    file: submit,
    find: 'await journal.inTurn(() => insert(journal, draft));',
    replace: 'await insert(journal, draft);',
    tests: of('submitting'),
  },
  {
    name: 'an input of any size is taken',
    file: submission,
    find: "  if (input.length > options.maxInputLength) throw new JournalError('too-large');\n",
    replace: '',
    tests: of('submitting'),
  },
  {
    name: 'closing leaves those who wait waiting',
    file: startJournal,
    find: "    for (const record of records.all()) tellNoEnd(journal, record, 'cancelled');\n",
    replace: '',
    tests: of('submitting'),
  },
  {
    name: 'closing leaves those who wait for everything waiting',
    file: startJournal,
    find: "tellNoEnd(journal, record, 'cancelled');\n    tellListeners();\n",
    replace: "tellNoEnd(journal, record, 'cancelled');\n",
    tests: of('submitting'),
  },
  {
    name: 'what is read after closing is handed over',
    file: startJournal,
    find: '    journal.leading = false;\n',
    replace: '',
    tests: of('submitting'),
  },
  {
    name: 'who submits while it is closed is left waiting',
    file: settlementOf,
    find: "  if (journal.closed) tellNoEnd(journal, record, 'cancelled');\n  else if (!current)",
    replace: '  if (!current)',
    tests: of('submitting'),
  },
  {
    name: 'what others may have sent is said to have done nothing',
    file: waiting,
    find: '{ firstSentAt: 0, ...record, state }',
    replace: '{ ...record, state }',
    tests: of('submitting'),
  },
  {
    name: 'cancelling what was sent claims that nobody has seen it',
    file: journal,
    find: "return sent ? 'maybe-executed' : 'cancelled';",
    replace: "return sent && !record ? 'maybe-executed' : 'cancelled';",
    tests: byRules,
  },
  {
    name: 'cancelling does not stop what is under way',
    file: journal,
    find: '    this.#journal.running.get(record.seq)?.controller?.abort();\n',
    replace: '',
    tests: of('delivering'),
  },
  {
    name: 'what is called off is sent',
    file: beforeAttempt,
    find: '  if (!isLive(record)) return undefined;\n',
    replace: '',
    tests: of('before-attempt'),
  },
  {
    name: 'an answer revives what was called off',
    file: attemptRecord,
    find: 'isLive(current) ? afterAttempt(current, result, followUp) : undefined,',
    replace: 'afterAttempt(current, result, followUp),',
    tests: of('tabs'),
  },
  {
    name: 'an answer is handed over as the end of what was called off',
    file: conclude,
    find: 'if (end?.kind === record.state) return',
    replace: 'if (end) return',
    tests: of('delivering'),
  },
  {
    name: 'the clock of the server is ignored',
    file: serverTime,
    find: 'return this.#options.clock.now() + this.#offsetMs;',
    replace: 'return this.#options.clock.now();',
    tests: byRules,
  },
  {
    name: 'the clock is corrected by every second that an answer takes',
    file: serverTime,
    find: 'Math.round((serverNow - now) / minuteMs) * minuteMs',
    replace: '(serverNow - now) * (minuteMs / minuteMs)',
    tests: of('server-time'),
  },
  {
    name: 'what the server’s clock said is forgotten with the page',
    file: serverTime,
    find: '    quietly(() => this.#keep());\n',
    replace: '',
    tests: of('keys'),
  },
  {
    name: 'what the server’s clock said is not asked for',
    file: startJournal,
    find: '    await journal.serverTime.recall();\n',
    replace: '',
    tests: of('keys'),
  },
  {
    name: 'the first thing that a server’s clock said stays',
    file: serverTime,
    find: "    if (kind === 'joined') await store.update({ ...row, body });\n",
    replace: '    void [kind, row];\n',
    tests: of('keys'),
  },
  {
    name: 'a clock that was put right makes keys from too long ago',
    file: serverTime,
    find: 'if (offsetMs > -this.#options.keyLifetimeMs / 2) this.#offsetMs = offsetMs;',
    replace: 'if (offsetMs) this.#offsetMs = offsetMs;',
    tests: of('keys'),
  },
  {
    name: 'what the server’s clock said counts as somebody’s record',
    file: journal,
    find: ' - (await store.list(nobody)).length;',
    replace: ' - nobody.length;',
    tests: of('keys'),
  },
  {
    name: 'every key is made by somebody who has made none before',
    file: serverTime,
    find: 'this.freshKey = () => ({ key: newKey(),',
    replace: 'this.freshKey = () => ({ key: options.newKeys(() => this.now())() ?? newKey(),',
    tests: byRules,
  },
  {
    name: 'two attempts at a time',
    file: dispatch,
    find: ' || running.has(seq)) continue;',
    replace: ' || seq < 0) continue;',
    tests: of('delivering'),
  },
  {
    name: 'any number of attempts at once',
    file: dispatch,
    find: '    if (running.size >= options.concurrency) break;\n',
    replace: '',
    tests: of('lanes'),
  },
  {
    name: 'a page that cannot read the store leads for ever',
    file: lead,
    find: '      resign();\n      journal.unwell(error);',
    replace: '      journal.unwell(error);',
    tests: of('submitting'),
  },
  {
    name: 'who was deposed while it read leads',
    file: lead,
    find: 'journal.leading ||= journal.resign === resign;',
    replace: 'journal.leading = true;',
    tests: of('tabs'),
  },
  {
    name: 'a page that takes over does not look at what others have written',
    file: lead,
    find: '      await journal.records.load();\n',
    replace: '',
    tests: of('tabs'),
  },
  {
    name: 'a page that is paused leads on',
    file: dispatch,
    find: 'const willing = !journal.paused && ',
    replace: 'const willing = ',
    tests: of('delivering', 'tabs'),
  },
  {
    name: 'a page that may not send keeps others from it',
    file: dispatch,
    find: 'seekLead(journal, (willing || running.size > 0) && isBusy(journal));',
    replace: 'seekLead(journal, isBusy(journal));',
    tests: of('tabs'),
  },
  {
    name: 'a page that is paused does not hand over what was under way',
    file: dispatch,
    find: 'seekLead(journal, (willing || running.size > 0) && isBusy(journal));',
    replace: 'seekLead(journal, willing && isBusy(journal));',
    tests: of('tabs'),
  },
  {
    name: 'a page leads as long as there are records',
    file: dispatch,
    find: 'if (wanted && journal.channels.has(record.channel)) return true;',
    replace: 'if (wanted || record) return true;',
    tests: of('delivering'),
  },
  {
    name: 'a page leads although it has no channel for what is live',
    file: dispatch,
    find: 'if (wanted && journal.channels.has(record.channel)) return true;',
    replace: 'if (wanted) return true;',
    tests: of('delivering'),
  },
  {
    name: 'a store that could not be read is not read again',
    file: startJournal,
    find: '      opening = undefined;\n',
    replace: '',
    tests: of('submitting'),
  },
  {
    name: 'what the store kept from happening is not tried again',
    file: startJournal,
    find: '    cancelRecovery = startTimer(journal.clock, pollMs(options), again);\n',
    replace: '    void [again, startTimer, pollMs];\n',
    tests: of('submitting'),
  },
  {
    name: 'nobody hears of what a page wrote before it died',
    file: startJournal,
    find: '    if (records.all().some(isLive)) store.tabs?.announce({ seq: 0, scope });\n',
    replace: '',
    tests: of('tabs'),
  },
  {
    name: 'whoever listens and throws keeps an answer from being told',
    file: startJournal,
    find: 'for (const listener of journal.listeners) quietly(listener);',
    replace: 'for (const listener of journal.listeners) listener();',
    tests: of('delivering'),
  },
  {
    name: 'a failed write of an answer loses it for those who wait',
    file: attemptRecord,
    find: "    if (run.end?.kind === 'succeeded') tellWaiters(journal, run.end);\n",
    replace: '',
    tests: of('submitting'),
  },
  {
    name: 'a failed write ends the delivery',
    file: attemptRecord,
    find: "    options.onEvent({ kind: 'storage-failed', error });\n    return pollMs(options);",
    replace: "    options.onEvent({ kind: 'storage-failed', error });\n    return 1e9;",
    tests: of('submitting'),
  },
  {
    name: 'of those who wait, one is told',
    file: waiting,
    find: 'waiters.set(seq, [...(waiters.get(seq) ?? []), tell]);',
    replace: 'waiters.set(seq, [tell]);',
    tests: of('submitting'),
  },
  {
    name: 'an answer that cannot be read is never handed over',
    file: settledIntent,
    find: `  } catch {
    // None was kept, or it can no longer be read.
    return failed(record, errorWithoutAnswer(record));`,
    replace: `  } catch {
    if (answer) return undefined as never;
    return failed(record, errorWithoutAnswer(record));`,
    tests: of('restarts'),
  },
  {
    name: 'what is not JSON is written down as something else',
    file: wireText,
    find: 'JSON.stringify({ value }, checked)',
    replace: 'JSON.stringify({ value })',
    tests: of('wire-text'),
  },
  {
    name: 'what failed for want of a network waits although it is back',
    file: startJournal,
    find: "      if (record.reason === 'network') journal.dueAt.set(record, 0);\n",
    replace: '      void record;\n',
    tests: of('delivering'),
  },
  {
    name: 'a later revision is replaced by an earlier one',
    file: records,
    find: '      else if (this.#isNews(row)) seen.push(this.#take(row, content));',
    replace: '      else seen.push(this.#take(row, content));',
    tests: of('tabs'),
  },
  {
    name: 'what is submitted while a tab takes over is forgotten',
    file: records,
    find: '    const changes: RowChange[] = [];\n',
    replace:
      '    const changes: RowChange[] = [];\n    for (const seq of this.#records.keys()) known.add(seq);\n',
    tests: of('tabs'),
  },
  {
    name: 'the removal of a record overtakes the answer in it',
    file: records,
    find: 'this.#heard = this.#heard.then(() => this.#accept(change));',
    replace: 'void this.#accept(change);',
    tests: of('tabs'),
  },
  {
    name: 'that the user has signed in is known in one tab',
    file: journal,
    find: '    store.tabs?.announce({ seq: -1, scope });\n',
    replace: '    void [scope, store];\n',
    tests: of('tabs'),
  },
  {
    name: 'who hears that the user has signed in does not go on',
    file: startJournal,
    find: '    else if (change.seq < 0) goOn();\n',
    replace: '',
    tests: of('tabs'),
  },
  {
    name: 'who hears that another user has signed in goes on',
    file: startJournal,
    find: 'else if (change.scope !== scope) return;',
    replace: 'else if (change.scope !== scope && !change.scope) return;',
    tests: of('accounts'),
  },
  {
    name: 'whoever is signed in will do where nobody can say who is',
    file: `${source}/journal-options.ts`,
    find: '        return false;\n',
    replace: '        return true;\n',
    tests: of('accounts'),
  },
  {
    name: 'what is kept beside an input changes with the object it came from',
    file: submission,
    find: 'meta: copyInput(submission.meta),',
    replace: 'meta: [submission.meta, copyInput][0],',
    tests: of('submitting'),
  },
  {
    name: 'who hears that the user has signed in is no longer paused',
    file: startJournal,
    find: '  function goOn(): void {\n',
    replace: '  function goOn(): void {\n    journal.paused = false;\n',
    tests: of('tabs'),
  },
  {
    name: 'what failed for want of a network waits although somebody says that it is back',
    file: startJournal,
    find: '    journal.signIn.accept();\n    networkChanged();\n',
    replace: '    journal.signIn.accept();\n    stir();\n',
    tests: of('tabs'),
  },
  {
    name: 'a signal that was aborted before submits all the same',
    file: journal,
    find: "    if (signal?.aborted) throw new DeliveryError('aborted', { attempts: 0 });\n",
    replace: '',
    tests: of('delivering'),
  },
  {
    name: 'a key that is refused for its time is replaced as fast as the network is',
    file: afterAttempt,
    find: 'if (next.key < record.key) return next;',
    replace: 'if (next.key !== record.key) return next;',
    tests: of('after-attempt'),
  },
  {
    name: 'a key is replaced while a copy of its request may still arrive',
    file: afterAttempt,
    find: 'const longestTravelMs = 360_000;',
    replace: 'const longestTravelMs = 60_000;',
    tests: of('after-attempt'),
  },
  {
    name: 'a key is replaced when nobody knows when it is accepted',
    file: afterAttempt,
    find: '(retryAfterMs(failure, now) ?? 0)',
    replace: '(retryAfterMs(failure, now) ?? Infinity)',
    tests: of('after-attempt'),
  },
  {
    name: 'a journal with nothing to do looks again every second',
    file: dispatch,
    find: 'startTimer(clock, earliest - clock.now(), journal.stir)',
    replace: 'startTimer(clock, Math.min(earliest - clock.now(), 1_000), journal.stir)',
    tests: of('delivering'),
  },
  {
    name: 'a journal polls behind the back of its clock',
    file: startJournal,
    find: 'const stopListening = network.listen(networkChanged);',
    replace:
      'const stopListening = network.listen(networkChanged); (globalThis as any).setInterval(stir, 1_000);',
    tests: of('delivering'),
  },
];
