const store = 'packages/server/src/memory/memory-store.ts';
const record = 'packages/server/src/memory/memory-record.ts';
const journal = 'packages/client/src/journal';
const tests = ['test/simulation/simulation.test.ts'];

/**
 * Mistakes that the simulator has to find by itself, without a test that knows of them: docs/harness.md
 * says which mistake is found where.
 *
 * @type {import('./runner/mutants.mjs').Mutant[]}
 */
export const mutants = [
  {
    name: 'no fence',
    file: store,
    find: `if (record?.token !== lease.token || record.state === 'released') return 'lease-lost';
    if (record.state !== 'completed')`,
    replace: `if (!record) return 'lease-lost';
    if (record.state !== 'completed')`,
    tests,
  },
  {
    name: 'a fence that asks for the token and not for the state',
    file: store,
    find: "if (record?.token !== lease.token || record.state === 'released') return 'lease-lost';",
    replace: "if (record?.token !== lease.token) return 'lease-lost';",
    tests,
  },
  {
    name: 'one token for all attempts',
    file: 'packages/server/src/new-token.ts',
    find: 'return unused.slice(used, (used += tokenLength));',
    replace: "return '0'.repeat((used = tokenLength));",
    tests,
  },
  {
    name: 'a stale lease is granted again, whatever the effect',
    file: store,
    find: "return record.onStaleLease === 'unknown' || request.onStaleLease === 'unknown'",
    replace: 'return false',
    tests,
  },
  {
    name: 'a sweep frees stale leases, whatever the effect',
    file: store,
    find: "if (record.onStaleLease === 'unknown') {",
    replace: 'if (!record) {',
    tests,
  },
  {
    name: 'absence counts without a quiet time',
    file: store,
    find: "if (this.#now() < record.unknownSince + settlement.quietMs) return 'too-soon';",
    replace: '',
    tests,
  },
  {
    name: 'answered before it is stored',
    file: 'packages/server/src/attempts/complete.ts',
    find: '  return storeTime\n    .limit(asked)\n    .catch((cause: unknown) => completeAgain(cause, { lease, completion, mutation }));',
    replace: `  void storeTime.limit(asked).catch(() => undefined);
  return 'completed';`,
    tests,
  },
  {
    name: 'what may have happened is released',
    file: 'packages/server/src/attempts/conclude.ts',
    find: 'return doubtLease(run, error);',
    replace: 'return releaseLease(run, error);',
    tests,
  },
  {
    name: 'executed when the store has not answered',
    file: 'packages/server/src/attempts/reserve.ts',
    find: 'throw storeUnavailable(engine, cause);',
    replace:
      "void storeUnavailable(engine, cause);\n    return { kind: 'reserved', lease: { scope, key, keyTimestampMs, token }, attempt: 1, progress: new Uint8Array() };",
    tests,
  },
  {
    name: 'the fingerprint is compared only while the record is in progress',
    file: store,
    find: 'if (!isFor(record, request.fingerprint)) {',
    replace: "if (record.state === 'in-progress' && !isFor(record, request.fingerprint)) {",
    tests,
  },
  {
    name: 'the fingerprint ignores the operation',
    file: 'packages/server/src/fingerprint/fingerprint.ts',
    find: 'const rest = `"operation":${writeString(operation)}}`;',
    replace: 'const rest = `"operation":${writeString(operation.slice(0, 0))}}`;',
    tests,
  },
  {
    name: 'pruned by the age of the record',
    file: record,
    find: 'const keyExpiresAt = countedFrom + request.keyRetentionMs + request.maxClockSkewMs;',
    replace: 'const keyExpiresAt = now + request.keyRetentionMs + 0 * countedFrom;',
    tests,
  },
  {
    name: 'no horizon',
    file: store,
    find: 'const expired = keyTimestampMs !== null && keyTimestampMs < now - keyRetentionMs;',
    replace:
      'const expired = keyTimestampMs !== null && keyTimestampMs < now - Infinity;\n      void keyRetentionMs;',
    tests,
  },
  {
    name: 'records of all scopes under one name',
    file: 'packages/server/src/memory/records-by-name.ts',
    find: 'record.scope === scope &&',
    replace: '',
    tests,
  },
  {
    name: 'finished steps are forgotten with their attempt',
    file: record,
    find: 'progress: before?.progress ?? nothing,',
    replace: 'progress: nothing,',
    tests,
  },
  {
    name: 'another key after every failure',
    file: `${journal}/after-attempt.ts`,
    find: "return { ...record, state: 'waiting', reason: why,",
    replace: "return { ...record, ...options.freshKey(), state: 'waiting', reason: why,",
    tests,
  },
  {
    name: 'removed before anybody is told',
    file: `${journal}/conclude.ts`,
    find: 'await tellFollowers(journal, record);\n    const old',
    replace:
      'await tellFollowers(journal, record);\n    await journal.records.remove(record);\n    const old',
    tests,
  },
  {
    name: 'sent for whoever is signed in',
    file: `${journal}/journal-options.ts`,
    find: 'return currentScope() === owner;',
    replace: "return currentScope() !== '';",
    tests,
  },
  {
    name: 'other bytes on every attempt',
    file: `${journal}/attempt-record.ts`,
    find: 'run.channel.send(fromText(record.input, options.transformer), attempt, record)',
    replace:
      'run.channel.send({ ...Object(fromText(record.input, options.transformer)), attempt: attempt.number }, attempt, record)',
    tests,
  },
  {
    name: 'records are never pruned',
    file: store,
    find: 'if (settled && record.keyExpiresAt < now && !this.#keepsAnswer(record)) {',
    replace: 'if (settled && record.keyExpiresAt < 0 && !this.#keepsAnswer(record)) {',
    tests,
  },
  {
    name: 'a renewed lease runs out as if the clock had stood still',
    file: store,
    find: 'record.leaseExpiresAt = this.#now() + leaseMs;',
    replace: 'record.leaseExpiresAt += 0 * leaseMs;',
    tests,
  },
  {
    name: 'leases by the clock of the caller',
    file: record,
    find: 'leaseExpiresAt: now + request.leaseMs,',
    replace: 'leaseExpiresAt: (keyTimestampMs ?? now) + request.leaseMs,',
    tests,
  },
  {
    name: 'a lease that was lost is renewed all the same',
    file: 'packages/server/src/attempts/lease-keeper.ts',
    find: "return this.#lose('The lease was lost to another attempt');",
    replace: 'return this.#renewIn(leaseMs / 3);',
    tests,
  },
  {
    name: 'a __proto__ member does not count',
    file: 'packages/server/src/fingerprint/canonical-json.ts',
    find: 'shapeOf(Object.keys(object), depth, walk)',
    replace: 'shapeOf(Object.keys(Object.assign({}, object)), depth, walk)',
    tests,
  },
  {
    name: 'executed again when an answer cannot be read',
    file: 'packages/server/src/run-intent.ts',
    find: 'return isRepeatable(answer, mutation)',
    replace:
      "const read = answer.kind === 'completed' ? mutation.answers.read(answer.outcome, { ...request, operation: mutation.operation }) : undefined;\n  const repeatable = read?.kind === 'unavailable' && read.reason !== 'expired';\n  return repeatable",
    tests,
  },
  {
    name: 'the server is not asked again about an unknown outcome',
    file: 'packages/client/src/retry/verdict.ts',
    find: "if (advice === 'poll') return retry('outcome-unknown', 'poll');",
    replace: "if (advice === 'poll') return { kind: 'give-up', why: 'refused' };",
    tests,
  },
];
