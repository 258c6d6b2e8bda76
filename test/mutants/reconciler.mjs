const reconcile = 'packages/server/src/reconcile/';
const reconciling = [`${reconcile}reconciler.test.ts`];
const lookups = 'packages/postgres/src/lookups/';
const postgres = [`${lookups}lookups.test.ts`, 'packages/postgres/src/postgres-store.test.ts'];
const sql = 'packages/postgres/src/migrations.ts';

/** @type {import('./runner/mutants.mjs').Mutant[]} */
export const mutants = [
  {
    name: 'what a provider is unsure about counts as executed',
    file: `${reconcile}look-into.ts`,
    find: "return finding.kind === 'unsure' ||",
    replace: "return finding.kind === ('perhaps' as never) ||",
    tests: reconciling,
  },
  {
    name: 'a failed look settles the record as not executed',
    file: `${reconcile}look-into.ts`,
    find: "return putOff(record, 'failed', { ...options, cause });",
    replace:
      "return settle(record, { kind: 'not-executed', quietMs: 0 }, { ...options, ...{ cause } });",
    tests: reconciling,
  },
  {
    name: 'a finding needs no quiet time',
    file: `${reconcile}look-into.ts`,
    find: 'if (Number.isFinite(finding.quietMs) && finding.quietMs >= 0) return finding;',
    replace: 'if (finding.quietMs !== -1) return finding;',
    tests: reconciling,
  },
  {
    name: 'evidence about an old attempt settles the next one',
    file: `${reconcile}look-into.ts`,
    find: '{ ...asOfItsStart(evidence, options), attempt, audit }',
    replace: '{ ...asOfItsStart(evidence, options), audit: attempt ? audit : undefined }',
    tests: reconciling,
  },
  {
    name: 'evidence that names another attempt settles this one',
    file: `${reconcile}look-into.ts`,
    find: 'evidence.attempt !== undefined && evidence.attempt !== attempt',
    replace: 'evidence.attempt !== undefined && attempt < 0',
    tests: reconciling,
  },
  {
    name: 'absence counts although it was looked for too early',
    file: `${reconcile}look-into.ts`,
    find: 'quietMs: evidence.quietMs + tookMs',
    replace: 'quietMs: evidence.quietMs + tookMs * 0',
    tests: reconciling,
  },
  {
    name: 'a look may take for ever',
    file: `${reconcile}look-into.ts`,
    find: 'await Promise.race([resolve?.(unknown), late])',
    replace:
      'await Promise.race([resolve?.(unknown), late.catch(() => new Promise<never>(() => {}))])',
    tests: reconciling,
  },
  {
    name: 'nobody gives up',
    file: `${reconcile}look-into.ts`,
    find: 'const dead = look >= maxLooks;',
    replace: 'const dead = look > Infinity + maxLooks;',
    tests: reconciling,
  },
  {
    name: 'the second look comes at once',
    file: `${reconcile}look-delay.ts`,
    find: 'return Math.ceil(delayMs / 2 + (random() * delayMs) / 2);',
    replace: 'return Math.ceil(random() * delayMs * 0);',
    tests: reconciling,
  },
  {
    name: 'settlements are not audited',
    file: `${reconcile}look-into.ts`,
    find: 'const audit = { actor, ...evidence.audit };',
    replace: 'const audit = actor ? evidence.audit : undefined;',
    tests: reconciling,
  },
  {
    name: 'a store without a list is taken',
    file: `${reconcile}reconciler.ts`,
    find: ".takeUnknown !== 'function'",
    replace: ".takeUnknown === 'never'",
    tests: reconciling,
  },
  {
    name: 'memory: evidence about an old attempt settles the next one',
    file: 'packages/server/src/memory/memory-store.ts',
    find: "if (attempt !== record.attempt) return 'not-unknown';",
    replace: "if (attempt > record.attempt) return 'not-unknown';",
    tests: ['packages/server/src/memory/memory-store.test.ts'],
  },
  {
    name: 'postgres: evidence that an old attempt was executed settles the next one',
    file: 'packages/postgres/src/sql/settle-executed.ts',
    find: 'and attempt = coalesce($8::int4, attempt)',
    replace: 'and attempt >= coalesce($8::int4, attempt)',
    tests: postgres,
  },
  {
    name: 'postgres: evidence that an old attempt was not executed settles the next one',
    file: 'packages/postgres/src/sql/settle-not-executed.ts',
    find: 'and attempt = coalesce($6::int4, attempt)',
    replace: 'and attempt >= coalesce($6::int4, attempt)',
    tests: postgres,
  },
  {
    name: 'redis: evidence about an old attempt settles the next one',
    file: 'packages/redis/src/transitions/settle.ts',
    find: 'tonumber(${argument}) == attempt',
    replace: 'tonumber(${argument}) <= attempt',
    tests: ['packages/redis/src/redis-store.test.ts'],
  },
  {
    name: 'postgres: two callers get the same record',
    file: `${lookups}take-unknown.ts`,
    find: "due_at = ${inMs('$4')}",
    replace: "due_at = least(held.due_at, ${inMs('$4')})",
    tests: postgres,
  },
  {
    name: 'postgres: whoever takes waits for whoever else does',
    file: `${lookups}take-unknown.ts`,
    find: 'for update skip locked',
    replace: 'for update',
    tests: [`${lookups}lookups.test.ts`],
  },
  {
    name: 'postgres: the dead are taken',
    file: `${lookups}take-unknown.ts`,
    find: 'and dead_at is null',
    replace: 'and (dead_at is null or true)',
    tests: postgres,
  },
  {
    name: 'postgres: records of any operation are taken',
    file: `${lookups}take-unknown.ts`,
    find: 'and operation = any($1::text[])',
    replace: 'and (operation = any($1::text[]) or true)',
    tests: postgres,
  },
  {
    name: 'postgres: who lost a look-up puts it off',
    file: `${lookups}put-off.ts`,
    find: 'and token = $2::uuid',
    replace: 'and coalesce(token, $2::uuid) is not null',
    tests: postgres,
  },
  {
    name: 'postgres: what is gone is forgotten although it is unknown',
    file: `${lookups}put-off.ts`,
    find: 'and held.state = ${state.unknown})`',
    replace: 'and held.state = ${state.unknown} + 1)`',
    tests: postgres,
  },
  {
    name: 'postgres: a look-up outlives its record’s doubt',
    file: sql,
    find: 'delete from :SCHEMA.lookups where record_id = new.id;\n  if new.state = 4',
    replace: 'if new.state = 4',
    tests: postgres,
  },
  {
    name: 'postgres: a partition that is made later notes nothing',
    file: sql,
    find: "'create or replace trigger note_unknown after update on %1$s.%2$I",
    replace: "'create or replace trigger note_unknown after update of key on %1$s.%2$I",
    tests: postgres,
  },
  {
    name: 'postgres: opaque keys are taken for keys with a time',
    file: sql,
    find: "tg_table_name = 'opaque_records'",
    replace: "tg_table_name = 'records'",
    tests: postgres,
  },
];
