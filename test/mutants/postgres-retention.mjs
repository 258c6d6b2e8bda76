const source = 'packages/postgres/src';
const sql = `${source}/migrations.ts`;
const creating = [`${source}/partitions/creating.test.ts`];
const dropping = [`${source}/partitions/dropping.test.ts`];
const layouts = [`${source}/partitions/layouts.test.ts`];
const interleavings = [`${source}/partitions/interleavings.test.ts`];
const operating = [`${source}/operator/postgres-operator.test.ts`];
const migrating = [`${source}/migrate.test.ts`];

/** @type {import('./runner/mutants.mjs').Mutant[]} */
export const mutants = [
  {
    name: 'what is unknown goes with its partition',
    file: sql,
    find: 'return state in (2, 3)',
    replace: 'return state in (2, 3, 4)',
    tests: dropping,
  },
  {
    name: 'what is in progress goes with its partition',
    file: sql,
    find: 'return state in (2, 3)',
    replace: 'return state in (1, 2, 3)',
    tests: dropping,
  },
  {
    name: 'what was promised for longer goes with its partition: a key',
    file: sql,
    find: '   and key_expires_at < now\n',
    replace: '   and key_expires_at is not null\n',
    tests: dropping,
  },
  {
    name: 'what was promised for longer goes with its partition: an answer',
    file: sql,
    find: "answer_expires_at = 'infinity' or answer_expires_at < now",
    replace: "answer_expires_at = 'infinity' or now is not null",
    tests: dropping,
  },
  {
    name: 'a partition is dropped on the word of a cursor',
    file: sql,
    find: '  if staying > 0 then',
    replace: '  if staying < 0 then',
    tests: dropping,
  },
  {
    name: 'a partition is closed twice',
    file: sql,
    find: "where state = 'open' and due_ms <= now_ms",
    replace: 'where due_ms <= now_ms',
    tests: dropping,
  },
  {
    name: 'younger partitions are closed before the oldest',
    file: sql,
    find: "where state = 'open' and due_ms <= now_ms order by start_ms limit 1",
    replace: "where state = 'open' and due_ms <= now_ms order by start_ms desc limit 1",
    tests: dropping,
  },
  {
    name: 'partitions are dropped before they are due',
    file: sql,
    find: "where state = 'open' and due_ms <= now_ms",
    replace: "where state = 'open' and start_ms <= now_ms",
    tests: dropping,
  },
  {
    name: 'closing raises no floor',
    file: sql,
    find: 'set floor_ms = greatest(floor_ms, :SCHEMA.partition_start_ms(due) + divided.width_ms)',
    replace: 'set floor_ms = greatest(floor_ms, 0)',
    tests: dropping,
  },
  {
    name: 'closing waits for as long as it takes, and others behind it',
    file: sql,
    find: " set lock_timeout = '50ms'",
    replace: " set lock_timeout = '1800ms'",
    tests: dropping,
  },
  {
    name: 'partitions are made without a lock',
    file: sql,
    find: 'granted record;\nbegin\n  select * into strict divided from :SCHEMA.layout for update;',
    replace: 'granted record;\nbegin\n  select * into strict divided from :SCHEMA.layout;',
    tests: creating,
  },
  {
    name: 'whoever remembers that there was no partition makes a second one',
    file: sql,
    find: 'create table if not exists %1$s.%2$I',
    replace: 'create table %1$s.%2$I',
    tests: creating,
  },
  {
    name: 'a partition takes any key',
    file: sql,
    find: 'constraint key_time check (id >= %3$L and id < %4$L)',
    replace: 'constraint key_time check (id is not null or %3$L < %4$L)',
    tests: creating,
  },
  {
    name: 'a partition is packed as it likes',
    file: sql,
    find: "inherits (%1$s.records) %5$s',",
    replace: "inherits (%1$s.records)',",
    tests: creating,
  },
  {
    name: 'a partition is its owner’s alone',
    file: sql,
    find: "execute format('grant %s on %s.%I to %s', granted.privilege",
    replace: "perform format('grant %s on %s.%I to %s', granted.privilege",
    tests: creating,
  },
  {
    name: 'any key from the future gets a partition',
    file: sql,
    find: '+ 366 * 86400) * 1000 then',
    replace: '+ 36600 * 86400) * 1000 then',
    tests: creating,
  },
  {
    name: 'keys from before there were partitions get one',
    file: sql,
    find: 'divided.width_ms is null or start_ms < divided.floor_ms or',
    replace: 'divided.width_ms is null or',
    tests: interleavings,
  },
  {
    name: 'a record of a closed partition is not moved for who asks for it',
    file: sql,
    find: 'delete from only %1$s.%2$I where id = $1 returning *',
    replace: 'delete from only %1$s.%2$I where id = $1 and false returning *',
    tests: interleavings,
  },
  {
    name: 'one record that was moved stands for all of its partition',
    file: sql,
    find: `(select min(closing.start_ms) from :SCHEMA.partition_spans as closing where state = 'closing'),
    floor_ms)`,
    replace: 'null, floor_ms)',
    tests: dropping,
  },
  {
    name: '`records` takes any key',
    file: sql,
    find: 'if :SCHEMA.key_ms(new.id) < (select floor_ms from :SCHEMA.layout) then',
    replace: 'if true then',
    tests: layouts,
  },
  {
    name: 'partitions get another width',
    file: sql,
    find: '  if divided.width_ms is not null then\n    raise',
    replace: '  if false then\n    raise',
    tests: layouts,
  },
  {
    name: 'a plain table is divided below the keys it has',
    file: sql,
    find: 'case when newest_ms is null then',
    replace: 'case when true then',
    tests: layouts,
  },
  {
    name: 'records are looked for by the time of today',
    file: `${source}/partitions/layout.ts`,
    find: 'new Date(keyTimestampMs - (keyTimestampMs % widthMs))',
    replace: 'new Date(Date.now() - (Date.now() % widthMs))',
    tests: dropping,
  },
  {
    name: 'records that were kept are looked for in their partition',
    file: `${source}/partitions/layout.ts`,
    find: 'if (widthMs === null || keyTimestampMs < keptBelowMs) return',
    replace: 'if (widthMs === null || keyTimestampMs < 0 * keptBelowMs) return',
    tests: [`${source}/partitions/routing.test.ts`],
  },
  {
    name: 'a statement that met no table is not sent again',
    file: `${source}/partitions/record-router.ts`,
    find: 'return hasSqlState(error, UNDEFINED_TABLE, CHECK_VIOLATION);',
    replace: 'return hasSqlState(error, CHECK_VIOLATION) && Boolean(UNDEFINED_TABLE);',
    tests: creating,
  },
  {
    name: 'a statement that met the wrong table is not sent again',
    file: `${source}/partitions/record-router.ts`,
    find: 'return hasSqlState(error, UNDEFINED_TABLE, CHECK_VIOLATION);',
    replace: 'return hasSqlState(error, UNDEFINED_TABLE) && Boolean(CHECK_VIOLATION);',
    tests: layouts,
  },
  {
    name: 'a handler is run again because a table was missing',
    file: `${source}/partitions/record-router.ts`,
    find: 'if (tries === MAX_TRIES || !mayRunAgain()) throw error;',
    replace: 'if (tries === MAX_TRIES || mayRunAgain === undefined) throw error;',
    tests: layouts,
  },
  {
    name: 'a layout that could not be read is remembered',
    file: `${source}/partitions/record-router.ts`,
    find: '      this.#layout = undefined;\n      throw error;',
    replace: '      throw error;',
    tests: [`${source}/partitions/routing.test.ts`],
  },
  {
    name: 'the lock of a record depends on where it is',
    file: `${source}/record-address.ts`,
    find: 'export function lockOf({ family, id }: RecordAddress): string {\n  return advisoryLock(`${family} ${id}`);',
    replace:
      'export function lockOf({ table, id }: RecordAddress): string {\n  return advisoryLock(`${table} ${id}`);',
    tests: [`${source}/record-address.test.ts`],
  },
  {
    name: 'a partition is closed while a step uses it',
    file: `${source}/sql/lock.ts`,
    find: 'from (select count(*) from only ${address.table} where id = $2::uuid) as looked',
    replace: 'where $2::uuid is not null',
    tests: interleavings,
  },
  {
    name: 'a step that was moved while somebody waited for it counts as undone',
    file: `${source}/sql/has-progress.ts`,
    find: `    await open.query(\`select 1 from \${address.family} where id = $1::uuid for share\`, [address.id]);
    const rows = await open.query<{ found: boolean }>(
      \`select position($3::bytea in body) > 0 as found
         from \${address.family}
        where id = $1::uuid
          and token = $2::uuid\`,`,
    replace: `    const rows = await open.query<{ found: boolean }>(
      \`select position($3::bytea in body) > 0 as found
         from \${address.family}
        where id = $1::uuid
          and token = $2::uuid
          for share\`,`,
    tests: dropping,
  },
  {
    name: 'a commit in doubt is looked for in a partition that is gone',
    file: `${source}/sql/is-completed-by.ts`,
    find: 'from ${address.family}',
    replace: 'from ${address.table}',
    tests: dropping,
  },
  {
    name: 'records are deleted that go with their partition',
    file: `${source}/sql/prune-rows.ts`,
    find: 'where may_go and not goes_with_its_partition',
    replace: 'where may_go',
    tests: dropping,
  },
  {
    name: 'what was kept is never deleted',
    file: `${source}/sql/prune-rows.ts`,
    find: `(held.tableoid <> '\${schema}."records"'::regclass`,
    replace: '(held.tableoid is not null',
    tests: dropping,
  },
  {
    name: 'pruning reads the whole table for a page',
    file: `${source}/sql/prune-rows.ts`,
    find: '(select * from ${schema}."layout" limit 1) as layout',
    replace: '${schema}."layout"',
    tests: [`${source}/maintenance.test.ts`],
  },
  {
    name: 'pruning makes no partitions',
    file: `${source}/prune.ts`,
    find: 'if (page.cursor === undefined) await createPartitions(database, schema);',
    replace: 'void createPartitions;',
    tests: creating,
  },
  {
    name: 'opaque keys are gone through by an index',
    file: `${source}/sql/page-of-rows.ts`,
    find: `where ctid >= $1::tid
                      and ctid <  $2::tid) as held\``,
    replace: `where ctid::text >= $1::text
                      and ctid::text <  $2::text) as held\``,
    tests: [`${source}/maintenance.test.ts`],
  },
  {
    name: 'tables that have partitions are said to be plain again',
    file: `${source}/partitions/lay-out.ts`,
    find: 'if (isAsked && found?.width_ms && !partitions) {',
    replace: 'if (isAsked && found?.width_ms === 0 && !partitions) {',
    tests: layouts,
  },
  {
    name: 'a default layout replaces the one that is there',
    file: `${source}/partitions/lay-out.ts`,
    find: 'if (isAsked && isOther) {',
    replace: 'if (isOther) {',
    tests: layouts,
  },
  {
    name: 'a role that can make no partitions is accepted',
    file: `${source}/verify.ts`,
    find: 'if (!session.may_place) {',
    replace: 'if (session.may_place === undefined) {',
    tests: creating,
  },
  {
    name: 'the script lays out nothing',
    file: `${source}/migration-sql.ts`,
    find: '...(installed === 0 ? layOutSql(schema, resolvePartitions(options)) : []),',
    replace: '...(installed > 0 ? layOutSql(schema, resolvePartitions(options)) : []),',
    tests: migrating,
  },
  {
    name: 'an operator busts what is in progress',
    file: `${source}/operator/bust-record.ts`,
    find: '          and state = ${state.completed}\n          and (outcome = ${outcomeCode.failure} or $5::bool)',
    replace: '          and (outcome = ${outcomeCode.failure} or $5::bool)',
    tests: operating,
  },
  {
    name: 'an operator busts what took effect without saying so',
    file: `${source}/operator/bust-record.ts`,
    find: '(outcome = ${outcomeCode.failure} or $5::bool)',
    replace: '(outcome = ${outcomeCode.failure} or $5::bool is not null)',
    tests: operating,
  },
  {
    name: 'an old answer becomes the progress of the next attempt',
    file: `${source}/operator/bust-record.ts`,
    find: 'answer_expires_at = null,\n              body              = null',
    replace: 'answer_expires_at = null',
    tests: operating,
  },
  {
    name: 'a key is busted by nobody, for no reason',
    file: `${source}/operator/postgres-operator.ts`,
    find: "typeof request[option] !== 'string' || request[option].trim() === ''",
    replace: "request[option] === 'nobody'",
    tests: operating,
  },
  {
    name: 'the audit forgets who it was',
    file: `${source}/sql/audited.ts`,
    find: 'return [id, actor, action,',
    replace: "return [id, actor && 'application', action,",
    tests: operating,
  },
  {
    name: 'the audit forgets the evidence',
    file: `${source}/sql/audited.ts`,
    find: 'evidence === undefined ? null : JSON.stringify(evidence)',
    replace: 'evidence === undefined ? null : null',
    tests: operating,
  },
  {
    name: 'an answer is shown to whoever did not ask for it',
    file: `${source}/operator/show-record.ts`,
    find: 'case when $2::bool and state = ${state.completed} then body end as answer',
    replace:
      'case when $2::bool is not null and state = ${state.completed} then body end as answer',
    tests: operating,
  },
  {
    name: 'progress is shown as an answer',
    file: `${source}/operator/show-record.ts`,
    find: 'case when $2::bool and state = ${state.completed} then body end as answer',
    replace: 'case when $2::bool then body end as answer',
    tests: operating,
  },
  {
    name: 'a list forgets the opaque keys',
    file: `${source}/operator/list-records.ts`,
    find: "const TABLES = ['records', 'opaque_records'] as const;",
    replace: "const TABLES = ['records', 'records'] as unknown as ['records', 'opaque_records'];",
    tests: operating,
  },
];
