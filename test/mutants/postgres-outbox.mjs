const outbox = 'packages/postgres/src/outbox';
const inbox = 'packages/postgres/src/inbox';
const enqueuing = [`${outbox}/enqueue.test.ts`];
const running = [`${outbox}/relay/relay.test.ts`];
const waking = [`${outbox}/relay/wake-up.test.ts`];
const retrying = [`${outbox}/relay/retries.test.ts`];
const leasing = [`${outbox}/relay/leases.test.ts`];
const renewing = [`${outbox}/relay/job-leases.test.ts`];
const transacting = [`${outbox}/relay/in-transaction.test.ts`];
const lanes = [`${outbox}/relay/lanes.test.ts`];
const stopping = [`${outbox}/relay/stopping.test.ts`];
const operating = [`${outbox}/postgres-jobs.test.ts`];
const others = [`${outbox}/other-queues.test.ts`];
const receiving = [`${inbox}/postgres-inbox.test.ts`];
const mutations = ['test/outbox/mutations.test.ts'];

/** @type {import('./runner/mutants.mjs').Mutant[]} */
export const mutants = [
  {
    name: 'every job gets a key of its own, also in a repeated attempt',
    file: `${outbox}/new-job.ts`,
    find: 'currentIntent()?.childKey(`job ${task}`) ?? mintKey()',
    replace: 'currentIntent()?.childKey(`job ${task}`) && mintKey()',
    tests: mutations,
  },
  {
    name: 'keys of jobs are counted when their payloads are valid',
    file: `${outbox}/new-job.ts`,
    find: `      const key = jobKey(name);
      const text = payloadText(name, payload, maxBytes);
      await validated(payload, task, name);
`,
    replace: `      const text = payloadText(name, payload, maxBytes);
      await validated(payload, task, name);
      const key = jobKey(name);
`,
    tests: enqueuing,
  },
  {
    name: 'a job through the pool is accepted',
    file: `${outbox}/postgres-outbox.ts`,
    find: 'if (tx !== driver) return;',
    replace: 'if (tx || driver) return;',
    tests: enqueuing,
  },
  {
    name: 'what JSON changes is enqueued',
    file: `${outbox}/json-text.ts`,
    find: 'if (!array && !isPlain(value))',
    replace: 'if (!array && !isPlain(value) && depth > 99)',
    tests: enqueuing,
  },
  {
    name: 'nobody is woken by a job',
    file: `${outbox}/sql/add-job.ts`,
    find: 'case when $5::bool then',
    replace: 'case when not $5::bool then',
    tests: waking,
  },
  {
    name: 'a lost connection is not opened again',
    file: `${outbox}/relay/stay-listening.ts`,
    find: 'cancelRetry = clock.setTimer(() => void listen(), delayMs, { background: true });',
    replace: 'cancelRetry = clock.setTimer(() => void delayMs, delayMs, { background: true });',
    tests: waking,
  },
  {
    name: 'what was said while nobody listened is missed',
    file: `${outbox}/relay/stay-listening.ts`,
    find: "      emit(relay, { kind: 'listening-started' });\n      heard();\n",
    replace: "      emit(relay, { kind: 'listening-started' });\n",
    tests: waking,
  },
  {
    name: 'an idle relay does not sleep',
    file: `${outbox}/relay/relay.ts`,
    find: 'await this.#wakeUp.sleep(this.#free > 0 ? this.#relay.pollMs : undefined);',
    replace: 'await this.#wakeUp.sleep(1);',
    tests: waking,
  },
  {
    name: 'a relay looks again after every job',
    file: `${outbox}/relay/relay.ts`,
    find: 'if (this.#moreDue || job.lane !== null) this.#wakeUp.ring();',
    replace: 'this.#wakeUp.ring();',
    tests: waking,
  },
  {
    name: 'a relay takes more than it may run',
    file: `${outbox}/relay/relay.ts`,
    find: 'const limit = this.#free;',
    replace: 'const limit = this.#free + 1;',
    tests: running,
  },
  {
    name: 'a handler does not run as the current intent',
    file: `${outbox}/relay/run-handler.ts`,
    find: `    await intents.run({ intent: new ExecutingIntent({ key, within: [] }, sha256) }, () =>
      run({ payload, key, attempt, signal }),
    );`,
    replace: `    void [intents, ExecutingIntent, sha256];
    await run({ payload, key, attempt, signal });`,
    tests: running,
  },
  {
    name: 'a job that is taken is taken by others too',
    file: `${outbox}/sql/take-jobs.ts`,
    find: "available_at = case when spent then available_at else ${inMs('$4')} end,",
    replace: "available_at = case when $4::float8 > 0 then available_at else ${inMs('$4')} end,",
    tests: leasing,
  },
  {
    name: 'a job whose relay dies every time is tried for ever',
    file: `${outbox}/sql/take-jobs.ts`,
    find: 'due.tries >= wanted.max_attempts as spent',
    replace: 'due.tries < 0 and wanted.max_attempts < 0 as spent',
    tests: leasing,
  },
  {
    name: 'a zombie marks a job as done',
    file: `${outbox}/sql/finish-job.ts`,
    find: `        where id = $1::int8
          and token = $2::uuid
          and state = \${jobState.running}
    returning 1
     )`,
    replace: `        where id = $1::int8
          and $2::uuid is not null
          and state = \${jobState.running}
    returning 1
     )`,
    tests: leasing,
  },
  {
    name: 'a zombie commits its effect',
    file: `${outbox}/sql/finish-job.ts`,
    find: `        and token = $2::uuid
        and state = \${jobState.running}
        and \${isOwnTransaction('$3')}`,
    replace: `        and $2::uuid is not null
        and \${isOwnTransaction('$3')}`,
    tests: transacting,
  },
  {
    name: 'a handler that ended its transaction is done',
    file: `${outbox}/sql/finish-job.ts`,
    find: "and ${isOwnTransaction('$3')}",
    replace: 'and $3::text is not null',
    tests: transacting,
  },
  {
    name: 'a job whose COMMIT got no answer is taken for done',
    file: `${outbox}/relay/run-in-transaction.ts`,
    find: "if (kind === 'as-asked' || value.kind !== 'done') return value;",
    replace: 'if (kind || value.kind) return value;',
    tests: transacting,
  },
  {
    name: 'a job whose COMMIT got no answer is taken for undone',
    file: `${outbox}/relay/run-in-transaction.ts`,
    find: "return done ? { kind: 'done' }",
    replace: "return !done ? { kind: 'done' }",
    tests: transacting,
  },
  {
    name: 'a transaction that does not stop goes on',
    file: `${outbox}/relay/run-in-transaction.ts`,
    find: "return abandon({ kind: 'failed', error: end.reason });",
    replace: "return rollBack({ kind: 'failed', error: abandon(end.reason).value });",
    tests: transacting,
  },
  {
    name: 'leases are not renewed',
    file: `${outbox}/relay/job-leases.ts`,
    find: 'if (this.#held.size === 1) this.#renewIn(this.#relay.leaseMs / 3);',
    replace: 'if (this.#held.size === 0) this.#renewIn(this.#relay.leaseMs / 3);',
    tests: renewing,
  },
  {
    name: 'the next renewal is counted from the answer of the last',
    file: `${outbox}/relay/job-leases.ts`,
    find: 'leaseMs / 3 - (clock.now() - askedAt)',
    replace: 'leaseMs / 3',
    tests: renewing,
  },
  {
    name: 'a lease is trusted while the database cannot be reached',
    file: `${outbox}/relay/job-leases.ts`,
    find: 'if (running.trustedUntil <= now) this.#lose(running);',
    replace: 'if (running.trustedUntil <= 0 * now) this.#lose(running);',
    tests: renewing,
  },
  {
    name: 'a renewal waits for whoever has a job locked',
    file: `${outbox}/sql/renew-jobs.ts`,
    find: 'for update of job skip locked',
    replace: 'for update of job nowait',
    tests: leasing,
  },
  {
    name: 'a process that was suspended begins its jobs',
    file: `${outbox}/relay/run-job.ts`,
    find: "if (relay.clock.now() >= running.trustedUntil) return { kind: 'fenced' };",
    replace: '',
    tests: leasing,
  },
  {
    name: 'a job that may still run is given to another',
    file: `${outbox}/relay/run-outside.ts`,
    find: "if (end.kind === 'deaf') return { kind: 'abandoned', cause: end.reason };",
    replace: "if (end.kind === 'deaf') return { kind: 'failed', error: end.reason };",
    tests: [...leasing, ...stopping],
  },
  {
    name: 'a job is tried once more than it may',
    file: `${outbox}/relay/judge-failure.ts`,
    find: 'tries >= policy.maxAttempts',
    replace: 'tries > policy.maxAttempts',
    tests: retrying,
  },
  {
    name: 'jitter before the clamp',
    file: `${outbox}/relay/backoff.ts`,
    find: `  const ceilingMs = Math.min(maxMs, firstMs * 2 ** (failures - 1));
  return Math.floor(random() * ceilingMs);`,
    replace: '  return Math.min(maxMs, Math.floor(random() * firstMs * 2 ** (failures - 1)));',
    tests: retrying,
  },
  {
    name: 'operators see the message of an error',
    file: `${outbox}/relay/describe-error.ts`,
    find: 'return `${name}${coded}`;',
    replace: 'return `${name}${coded} ${error.message}`;',
    tests: retrying,
  },
  {
    name: 'a job that was stopped has lost its try',
    file: `${outbox}/sql/give-job-back.ts`,
    find: 'tries        = tries - 1',
    replace: 'tries        = tries',
    tests: stopping,
  },
  {
    name: 'jobs of one lane run at the same time',
    file: `${outbox}/sql/add-job.ts`,
    find: 'case when $3::text is null then ${turn.now} else ${turn.undecided} end)',
    replace: 'case when $3::text is null then ${turn.now} else ${turn.over} end)',
    tests: lanes,
  },
  {
    name: 'a job overtakes one that has begun',
    file: `${outbox}/sql/place-in-lanes.ts`,
    find: 'and (other.turn = ${turn.now} or other.id < job.id))',
    replace: 'and other.id < job.id)',
    tests: lanes,
  },
  {
    name: 'a job overtakes one that was written before it',
    file: `${outbox}/sql/place-in-lanes.ts`,
    find: 'and (other.turn = ${turn.now} or other.id < job.id))',
    replace: 'and other.turn = ${turn.now})',
    tests: lanes,
  },
  {
    name: 'a race for the turn of a lane ends the look',
    file: `${outbox}/sql/retry-lost-races.ts`,
    find: 'if (!hasSqlState(error, UNIQUE_VIOLATION) || tries === MAX_TRIES) throw error;',
    replace: 'if (hasSqlState(error, UNIQUE_VIOLATION) || tries === MAX_TRIES) throw error;',
    tests: lanes,
  },
  {
    name: 'a relay that lost a race skips what its own first statement still has locked',
    file: `${outbox}/sql/retry-lost-races.ts`,
    find: 'await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));',
    replace: '',
    tests: [`${outbox}/sql/retry-lost-races.test.ts`],
  },
  {
    name: 'a lane ends with a relay that died after a job was done',
    file: `${outbox}/sql/take-jobs.ts`,
    find: 'arrange: rows[0]?.arrange === true ||',
    replace: 'arrange: false ||',
    tests: lanes,
  },
  {
    name: 'a lane waits for a job that was discarded',
    file: `${outbox}/sql/discard-job.ts`,
    find: 'turn        = case when finished_at is null then ${turn.now} else turn end,',
    replace: 'turn        = case when finished_at is null then ${turn.over} else turn end,',
    tests: lanes,
  },
  {
    name: 'a lane waits for a dead job that was brought back',
    file: `${outbox}/sql/revive-jobs.ts`,
    find: '          and (lane is null or turn = ${turn.over})\n',
    replace: '',
    tests: lanes,
  },
  {
    name: 'a running job is discarded',
    file: `${outbox}/sql/discard-job.ts`,
    find: 'or (state = ${jobState.running} and available_at <= ${clock}))',
    replace: 'or state = ${jobState.running})',
    tests: operating,
  },
  {
    name: 'a dead job is pruned',
    file: `${outbox}/sql/prune-jobs.ts`,
    find: 'where state in (${jobState.done}, ${jobState.discarded})',
    replace: 'where state in (${jobState.done}, ${jobState.discarded}, ${jobState.dead})',
    tests: operating,
  },
  {
    name: 'a job that stands for its lane is pruned',
    file: `${outbox}/sql/prune-jobs.ts`,
    find: '            and (lane is null or turn = ${turn.over})\n',
    replace: '',
    tests: operating,
  },
  {
    name: 'graphile-worker gets a job for every attempt',
    file: `${outbox}/sql/graphile-add-job.ts`,
    find: 'job_key      := $4::text,',
    replace: 'job_key      := $4::text || random(),',
    tests: others,
  },
  {
    name: 'pg-boss loses a job without a word',
    file: `${outbox}/pg-boss-outbox.ts`,
    find: "if (found) return { kind: 'already-enqueued', key: id };",
    replace: "if (found || id) return { kind: 'already-enqueued', key: id };",
    tests: others,
  },
  {
    name: 'a duplicate of a message is processed',
    file: `${inbox}/process-message.ts`,
    find: "if (found) return rollBack({ kind: 'duplicate', value: found.value as T | undefined });",
    replace: '',
    tests: receiving,
  },
  {
    name: 'a delivery waits for the index',
    file: `${inbox}/process-message.ts`,
    find: "if (locked === 'locked-by-other') return rollBack({ kind: 'in-progress' });",
    replace: '',
    tests: receiving,
  },
  {
    name: 'a delivery that was overtaken commits',
    file: `${inbox}/process-message.ts`,
    find: "return rollBack({ kind: 'superseded' });",
    replace: "return commit({ kind: 'superseded' });",
    tests: receiving,
  },
  {
    name: 'a message is remembered outside of its transaction',
    file: `${inbox}/sql/insert-message.ts`,
    find: "where ${isOwnTransaction('$6')}",
    replace: 'where $6::text is not null',
    tests: receiving,
  },
  {
    name: 'a message whose COMMIT was lost is taken for processed',
    file: `${inbox}/delivery-fate.ts`,
    find: 'if (processed) return;',
    replace: 'if (processed !== null) return;',
    tests: receiving,
  },
  {
    name: 'messages of two sources meet',
    file: `${inbox}/message-address.ts`,
    find: 'JSON.stringify([message.source, message.messageId])',
    replace: 'message.source + message.messageId',
    tests: receiving,
  },
];
