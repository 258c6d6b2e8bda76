const source = 'packages/postgres/src';
const contract = [`${source}/postgres-store.test.ts`];
const oneByOne = [`${source}/partitions/plain-table.test.ts`];
const batching = [`${source}/batching/pg-batches.test.ts`];
const reserving = [`${source}/reserve.test.ts`];
const fates = [`${source}/commit-fate.test.ts`, `${source}/postgres-store.test.ts`];
const steps = [`${source}/transact-step.test.ts`];
const atomic = [`${source}/transact.test.ts`];
const isolation = [`${source}/isolation.test.ts`];
const maintaining = [`${source}/maintenance.test.ts`];
const migrating = [`${source}/migrate.test.ts`];

/** @type {import('./runner/mutants.mjs').Mutant[]} */
export const mutants = [
  {
    name: 'a step is recorded whoever holds the lease',
    file: `${source}/sql/save-step.ts`,
    find: 'and token = $2::uuid',
    replace: 'and $2::uuid is not null',
    tests: contract,
  },
  {
    name: 'a step is recorded outside the transaction that was begun for it',
    file: `${source}/sql/or-fail.ts`,
    find: '(${isOwnTransaction(tokenParameter)} is true)',
    replace: '(${tokenParameter}::text is not null)',
    tests: steps,
  },
  {
    name: 'a step whose COMMIT got no answer is taken for done',
    file: `${source}/transact-step.ts`,
    find: "if (kind === 'as-asked') return",
    replace: 'if (kind) return',
    tests: contract,
  },
  {
    name: 'a step whose COMMIT got no answer is taken for undone',
    file: `${source}/sql/has-progress.ts`,
    find: '[0]?.found === true',
    replace: '[0]?.found === null',
    tests: contract,
  },
  {
    name: 'complete whatever the token',
    file: `${source}/sql/complete.ts`,
    find: "and token = ${given('$2', 'uuid')}",
    replace: "and ${given('$2', 'uuid')} is not null",
    tests: contract,
  },
  {
    name: 'complete whatever the state: a released token still works',
    file: `${source}/sql/complete.ts`,
    find: '        and state in (${state.inProgress}, ${state.unknown})\n',
    replace: '',
    tests: contract,
  },
  {
    name: 'a late holder cannot complete what became unknown',
    file: `${source}/sql/complete.ts`,
    find: 'state in (${state.inProgress}, ${state.unknown})',
    replace: 'state = ${state.inProgress}',
    tests: contract,
  },
  {
    name: 'a completion cannot be repeated',
    file: `${source}/sql/complete.ts`,
    find: "(await isCompletedBy(database, address, token)) ? 'completed' : 'lease-lost'",
    replace: "'lease-lost'",
    tests: contract,
  },
  {
    name: 'release whatever the state',
    file: `${source}/sql/release.ts`,
    find: '        and state = ${state.inProgress}\n',
    replace: '',
    tests: contract,
  },
  {
    name: 'renew whatever the state',
    file: `${source}/sql/renew.ts`,
    find: '        and state = ${state.inProgress}\n',
    replace: '',
    tests: contract,
  },
  {
    name: 'renew a lease that ran out',
    file: `${source}/sql/renew.ts`,
    find: '        and lease_expires_at > ${clock}\n',
    replace: '',
    tests: contract,
  },
  {
    name: 'save progress whatever the state',
    file: `${source}/sql/save-progress.ts`,
    find: '        and state = ${state.inProgress}\n',
    replace: '',
    tests: contract,
  },
  {
    name: 'doubt whatever the state',
    file: `${source}/sql/doubt.ts`,
    find: '        and state in (${state.inProgress}, ${state.unknown})\n',
    replace: '',
    tests: contract,
  },
  {
    name: 'the quiet time does not start again',
    file: `${source}/sql/doubt.ts`,
    find: 'case state when ${state.unknown} then unknown_since else ${clock} end',
    replace: 'coalesce(unknown_since, ${clock})',
    tests: contract,
  },
  {
    name: 'do update, which takes finished rows again',
    file: `${source}/sql/insert-reserved.ts`,
    find: `(select 1 from only \${table.table} as held where held.id = given.id) is null
        and \${keyMayBeNew}
         on conflict (id) do nothing`,
    replace: `\${keyMayBeNew}
         on conflict (id) do update set token = excluded.token`,
    tests: oneByOne,
  },
  {
    name: 'a batch does update, which takes finished rows again',
    file: `${source}/sql/claim.ts`,
    find: `where not given.seen_found
               and \${keyMayBeNew}
                on conflict (id) do nothing`,
    replace: `where \${keyMayBeNew}
                on conflict (id) do update set token = excluded.token`,
    tests: batching,
  },
  {
    name: 'a batch inserts what it saw, so that a replay waits for a lock',
    file: `${source}/sql/claim.ts`,
    find: 'where not given.seen_found',
    replace: 'where true',
    tests: batching,
  },
  {
    name: 'no look before the insert, so that a replay waits for a lock',
    file: `${source}/sql/insert-reserved.ts`,
    find: '(select 1 from only ${table.table} as held where held.id = given.id) is null',
    replace: 'true',
    tests: reserving,
  },
  {
    name: 'no horizon',
    file: `${source}/sql/new-record.ts`,
    find: '`(given.key_time + given.key_retention < ${clockMs}) is not true`',
    replace: '`true`',
    tests: contract,
  },
  {
    name: 'records expire by the age of the row, not of the key',
    file: `${source}/sql/new-record.ts`,
    find: '`greatest(${time}::float8, ${clockMs})`',
    replace: '`${clockMs} + 0 * coalesce(${time}::float8, 0)`',
    tests: contract,
  },
  {
    name: 'records do not outlive the clock skew',
    file: `${source}/sql/new-record.ts`,
    find: '+ ${skew}::float8`',
    replace: '+ 0 * ${skew}::float8`',
    tests: contract,
  },
  {
    name: 'the fingerprint is compared after the state',
    file: `${source}/judge.ts`,
    find: 'if (!sighting.same_fingerprint) {',
    replace: 'if (!sighting.same_fingerprint && sighting.state === state.completed) {',
    tests: contract,
  },
  {
    name: 'the version of the fingerprint is not compared',
    file: `${source}/sql/sighting.ts`,
    find: 'select held.fingerprint_version = given.fingerprint_version',
    replace: 'select given.fingerprint_version is not null',
    tests: contract,
  },
  {
    name: 'the digest of the fingerprint is not compared',
    file: `${source}/sql/sighting.ts`,
    find: 'and held.fingerprint = given.fingerprint as fingerprint',
    replace: 'and given.fingerprint is not null as fingerprint',
    tests: contract,
  },
  {
    name: 'an expired answer is replayed',
    file: `${source}/sql/sighting.ts`,
    find: 'and held.answer_expires_at < ${seenAt} as answer',
    replace: 'and held.answer_expires_at is null as answer',
    tests: contract,
  },
  {
    name: 'the stale policy of the record is ignored',
    file: `${source}/judge.ts`,
    find: "sighting.re_executable && onStaleLease === 're-execute'",
    replace: "onStaleLease === 're-execute'",
    tests: contract,
  },
  {
    name: 'the stale policy of the request is ignored',
    file: `${source}/judge.ts`,
    find: "sighting.re_executable && onStaleLease === 're-execute'",
    replace: 'sighting.re_executable',
    tests: contract,
  },
  {
    name: 'a reservation cannot be repeated',
    file: `${source}/judge.ts`,
    find: 'if (sighting.own_token) {',
    replace: 'if (sighting.own_token && attempt === 0) {',
    tests: contract,
  },
  {
    name: 'a token that was given back is granted again',
    file: `${source}/judge.ts`,
    find: 'return sighting.own_token\n        ?',
    replace: 'return sighting.own_token && attempt === 0\n        ?',
    tests: contract,
  },
  {
    name: 'take over without comparing what was seen',
    file: `${source}/sql/take-over.ts`,
    find: '        and token = $2::uuid\n        and ${vacant}\n',
    replace: '        and $2::uuid is not null\n',
    tests: contract,
  },
  {
    name: 'take over whatever the token',
    file: `${source}/sql/take-over.ts`,
    find: 'and token = $2::uuid',
    replace: 'and $2::uuid is not null',
    tests: reserving,
  },
  {
    name: 'take over a lease that was renewed meanwhile',
    file: `${source}/sql/vacant.ts`,
    find: ' and lease_expires_at <= ${clock}',
    replace: '',
    tests: reserving,
  },
  {
    name: 'a lease that was renewed meanwhile becomes unknown',
    file: `${source}/sql/mark-orphan.ts`,
    find: '        and lease_expires_at <= ${clock}\n',
    replace: '',
    tests: reserving,
  },
  {
    name: 'a record that is gone counts as reserved',
    file: `${source}/reserve.ts`,
    find: '      // Pruned between the two statements.\n      return undefined;',
    replace: '      return reserved(request, { attempt: 1, progress: new Uint8Array() });',
    tests: reserving,
  },
  {
    name: 'whoever loses every race is reserved',
    file: `${source}/reserve.ts`,
    find: "return { kind: 'in-progress', retryAfterMs: RETRY_AFTER_LOST_RACES_MS };",
    replace: 'return reserved(request, { attempt: 1, progress: new Uint8Array() });',
    tests: reserving,
  },
  {
    name: 'now() instead of the clock',
    file: `${source}/sql/clock.ts`,
    find: "export const clock = 'clock_timestamp()';",
    replace: "export const clock = 'now()';",
    tests: isolation,
  },
  {
    name: 'the clock of the process',
    file: `${source}/sql/clock.ts`,
    find: 'return instant(`${clockMs} + ${parameter}::float8`);',
    replace: 'return instant(`${Date.now()} + ${parameter}::float8`);',
    tests: contract,
  },
  {
    name: 'the scope is missing from the record id',
    file: `${source}/record-address.ts`,
    find: "  name.write(scope, 4, 'utf16le');",
    replace: '  name.fill(0, 4, 4 + scopeBytes);',
    tests: contract,
  },
  {
    name: 'the length of the scope is missing from the record id',
    file: `${source}/record-address.ts`,
    find: 'name.writeUInt32BE(scopeBytes);',
    replace: 'name.writeUInt32BE(0);',
    tests: [`${source}/record-address.test.ts`],
  },
  {
    name: 'the record id believes the caller’s timestamp',
    file: `${source}/record-address.ts`,
    find: 'const keyTimestampMs = keyTimestamp(name.key);',
    replace: 'const { keyTimestampMs } = name;',
    tests: [`${source}/record-address.test.ts`],
  },
  {
    name: 'prune what is in progress or unknown',
    file: `${source}/sql/prune-rows.ts`,
    find: `\${schema}."may_go"(state, key_expires_at, answer_expires_at, clock.now) as may_go,
              answer_expires_at < clock.now as answer_expired,
              \${goesWithItsPartition(schema, position)} as goes_with_its_partition
         from \${rows},
              (select \${clock} as now) as clock,
              (select * from \${schema}."layout" limit 1) as layout
     ), going as materialized (
       select id
         from \${table}
        where id in (select id from page where may_go and not goes_with_its_partition)
          and state in (\${state.completed}, \${state.released})
          for update skip locked
     ), deleted as (
       delete from \${table}
        where id in (select id from going)
          and state in (\${state.completed}, \${state.released})`,
    replace: `\${schema}."may_go"(3::int2, key_expires_at, answer_expires_at, clock.now) as may_go,
              answer_expires_at < clock.now as answer_expired,
              \${goesWithItsPartition(schema, position)} as goes_with_its_partition
         from \${rows},
              (select \${clock} as now) as clock,
              (select * from \${schema}."layout" limit 1) as layout
     ), going as materialized (
       select id
         from \${table}
        where id in (select id from page where may_go and not goes_with_its_partition)
          for update skip locked
     ), deleted as (
       delete from \${table}
        where id in (select id from going)`,
    tests: contract,
  },
  {
    name: 'prune waits for locks',
    file: `${source}/sql/prune-rows.ts`,
    find: `and state in (\${state.completed}, \${state.released})
          for update skip locked`,
    replace: `and state in (\${state.completed}, \${state.released})
          for update`,
    tests: maintaining,
  },
  {
    name: 'prune keeps expired answers',
    file: `${source}/sql/prune-rows.ts`,
    find: 'where answer_expired and not may_go',
    replace: 'where false',
    tests: contract,
  },
  {
    name: 'sweep live leases',
    file: `${source}/sql/sweep.ts`,
    find: `select id,
              state = \${state.inProgress} and lease_expires_at <= \${clock} as ran_out
         from \${rows}
     ), stale as materialized (
       select id
         from \${table}
        where id in (select id from page where ran_out)
          and state = \${state.inProgress}
          and lease_expires_at <= \${clock}
          for update skip locked
     ), swept as (
       update \${table} as held
          set state         = case when re_executable then \${state.released}
                                                      else \${state.unknown} end,
              unknown_since = case when re_executable then unknown_since else \${clock} end
        where id in (select id from stale)
          and state = \${state.inProgress}
          and lease_expires_at <= \${clock}
`,
    replace: `select id
         from \${rows}
     ), swept as (
       update \${table} as held
          set state         = case when re_executable then \${state.released}
                                                      else \${state.unknown} end,
              unknown_since = case when re_executable then unknown_since else \${clock} end
        where id in (select id from page)
          and state = \${state.inProgress}
`,
    tests: contract,
  },
  {
    name: 'sweep frees what may have happened',
    file: `${source}/sql/sweep.ts`,
    find: 'set state         = case when re_executable then',
    replace: 'set state         = case when true then',
    tests: contract,
  },
  {
    name: 'maintenance forgets the opaque keys',
    file: `${source}/maintenance-cursor.ts`,
    find: "isFull ? { ...position, after: last } : { table: 'opaque_records', fromDiskPage: 0 },",
    replace:
      "isFull ? { ...position, after: last } : { table: 'opaque_records', fromDiskPage: 999_999 },",
    tests: contract,
  },
  {
    name: 'settle without quiet time',
    file: `${source}/sql/settle-not-executed.ts`,
    find: "and ${toMs('unknown_since')} + $5::float8 <= ${clockMs}",
    replace: 'and $5::float8 is not null',
    tests: contract,
  },
  {
    name: 'settle whatever the state',
    file: `${source}/sql/settle-executed.ts`,
    find: 'where id = $1::uuid\n          and state = ${state.unknown}',
    replace: 'where id = $1::uuid',
    tests: contract,
  },
  {
    name: 'no advisory lock',
    file: `${source}/transact.ts`,
    find: 'if (!isLocked(locked) && mayChange.has(verdict.kind)) {',
    replace: 'if (!isLocked(locked) && request.leaseMs < 0) {',
    tests: atomic,
  },
  {
    name: 'a known answer is kept from whoever comes beside another',
    file: `${source}/transact.ts`,
    find: 'if (!isLocked(locked) && mayChange.has(verdict.kind)) {',
    replace: 'if (!isLocked(locked) && mayChange.size > 0) {',
    tests: [`${source}/transact.test.ts`],
  },
  {
    name: 'a name is known by its key alone',
    file: `${source}/record-address.ts`,
    find: 'if (known?.scope === name.scope) return known.digits;',
    replace: 'if (known) return known.digits;',
    tests: contract,
  },
  {
    name: 'a lone claim is granted whatever is there',
    file: `${source}/batching/claims.ts`,
    find: "if (inserted.length === 1) return ['inserted'];",
    replace: "if (inserted.length <= 1) return ['inserted'];",
    tests: batching,
  },
  {
    name: 'a record inserted meanwhile does not undo the transaction',
    file: `${source}/sql/insert-completed.ts`,
    find: 'from ${givenOne(givenRecord(table))}`,',
    replace: 'from ${givenOne(givenRecord(table))} on conflict (id) do nothing`,',
    tests: contract,
  },
  {
    name: 'a record taken meanwhile does not undo the transaction',
    file: `${source}/sql/or-fail.ts`,
    find: '1 / count(*)::int4',
    replace: '1 / (1 + count(*)::int4)',
    tests: contract,
  },
  {
    name: 'a vacant record taken meanwhile does not undo the transaction',
    file: `${source}/sql/complete-vacant.ts`,
    find: 'and token = $2::uuid',
    replace: 'and $2::uuid is not null',
    tests: atomic,
  },
  {
    name: 'discard keeps the effects',
    file: `${source}/transact.ts`,
    find: "rollBack({ kind: 'discarded', completion })",
    replace: "commit({ kind: 'discarded', completion })",
    tests: contract,
  },
  {
    name: 'roll back commits',
    file: `${source}/transact.ts`,
    find: "rollBack({ kind: 'rolled-back' })",
    replace: "commit({ kind: 'rolled-back' })",
    tests: contract,
  },
  {
    name: 'a commit in doubt is taken for rolled back',
    file: `${source}/transact.ts`,
    find: 'const fate = await commitFate(database, { address, request, over });',
    replace: "const fate = { kind: 'rolled-back' }; void commitFate;",
    tests: fates,
  },
  {
    name: 'the database’s objection to a commit is kept from its author',
    file: `${source}/transact.ts`,
    find: "return fate.kind === 'rolled-back' && isObjection(cause) ? { ...fate, cause } : fate;",
    replace: 'void isObjection; return fate;',
    tests: fates,
  },
  {
    name: 'a server that forgets what it acknowledged is accepted',
    file: `${source}/verify.ts`,
    find: 'if (session.forgetful) {',
    replace: 'if (session.forgetful === undefined) {',
    tests: ['packages/postgres/src/unwell.test.ts'],
  },
  {
    name: 'a commit in doubt is taken for committed',
    file: `${source}/transact.ts`,
    find: 'const fate = await commitFate(database, { address, request, over });',
    replace: "const fate = { kind: 'committed' }; void commitFate;",
    tests: fates,
  },
  {
    name: 'the old transaction is not waited for',
    file: `${source}/commit-fate.ts`,
    find: '    await waitForLock(open, lockOf(address));\n',
    replace: '',
    tests: fates,
  },
  {
    name: 'COMMIT that did ROLLBACK counts as committed',
    file: `${source}/database/pg-pool.ts`,
    find: "const committed = done.at(-1)?.command === 'COMMIT';",
    replace: 'const committed = done.length > 0;',
    tests: fates,
  },
  {
    name: 'a broken connection goes back to the pool',
    file: 'packages/postgres/src/database/pg-pool.ts',
    find: 'giveBack(client, borrowed.broken);',
    replace: 'giveBack(client);',
    tests: fates,
  },
  {
    name: 'a connection that breaks ends the process',
    file: 'packages/postgres/src/database/borrow-client.ts',
    find: "      client.on?.('error', ignore);\n",
    replace: '',
    tests: atomic,
  },
  {
    name: 'a failing rollback hides the error',
    file: `${source}/database/pg-pool.ts`,
    find: "query({ text: 'rollback' });\n  } catch (error) {\n    borrowed.broken = toError(error);",
    replace: "query({ text: 'rollback' });\n  } catch (error) {\n    throw error;",
    tests: fates,
  },
  {
    name: 'the isolation level is left to the server',
    file: `${source}/database/pg-pool.ts`,
    find: 'begin isolation level read committed',
    replace: 'begin',
    tests: isolation,
  },
  {
    name: 'conflicts are not tried again',
    file: `${source}/database/retry-conflicts.ts`,
    find: 'if (!isConflict(error) || tries === MAX_TRIES) throw error;',
    replace: 'throw error;',
    tests: isolation,
  },
  {
    name: 'two starters migrate at once',
    file: `${source}/migrate.ts`,
    find: '    await waitForLock(open, migrationLock(schema));\n',
    replace: '    void migrationLock;\n',
    tests: migrating,
  },
  {
    name: 'tables of a later release are accepted',
    file: `${source}/installed-version.ts`,
    find: 'if (installed <= migrations.length) return;',
    replace: 'if (installed >= 0) return;',
    tests: migrating,
  },
  {
    name: 'missing tables are accepted',
    file: `${source}/verify.ts`,
    find: 'if (installed < migrations.length) {',
    replace: 'if (installed < 0) {',
    tests: migrating,
  },
  {
    name: 'any schema name is accepted',
    file: `${source}/schema.ts`,
    find: "typeof schema === 'string' && /^[a-z_][a-z0-9_]{0,47}$/.test(schema)",
    replace: "typeof schema === 'string'",
    tests: [`${source}/schema.test.ts`],
  },
  {
    name: 'a handler that ended its transaction is answered with success',
    file: `${source}/sql/lock.ts`,
    find: "return `current_setting('onceward.token', true) = ${parameter}::text`;",
    replace: 'return `${parameter}::text is not null`;',
    tests: ['test/e2e/atomic.test.ts'],
  },
  {
    name: 'a record is pruned although its answer was promised for longer',
    file: `${source}/migrations.ts`,
    find: 'and (answer_expires_at is null or',
    replace: 'and (true or answer_expires_at is null or',
    tests: contract,
  },
  {
    name: 'an abandoned connection goes back to the pool',
    file: `${source}/database/pg-pool.ts`,
    find: "    borrowed.broken = new Error('The transaction was abandoned');\n",
    replace: '',
    tests: ['test/e2e/atomic.test.ts'],
  },
  {
    name: 'PGlite in memory claims to be durable',
    file: `${source}/database/pglite.ts`,
    find: "return dataDir !== '' && !dataDir.startsWith('memory://');",
    replace: "return dataDir !== 'nowhere';",
    tests: ['packages/postgres/src/database/driver.test.ts'],
  },
  {
    name: 'a late holder takes evidence for its own outcome',
    file: `${source}/sql/settle-executed.ts`,
    find: 'token             = gen_random_uuid(),',
    replace: '',
    tests: contract,
  },
];
