import { newRequest, success } from '@onceward/conformance/requests';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPostgres } from '../../../../test/services/postgres.ts';
import { addJobs, elapse, type OpenCli, openCli as openCliAt, run } from '../../test/open-cli.ts';
import { openTransactionPooler } from '../../test/transaction-pooler.ts';
import type { CliContext } from '../cli-context.ts';
import type { ReportDocument } from './report.ts';

// Nothing is wrong with it, so what is found was planted, and by the test that finds it.
const healthy = [
  'fsync=on',
  'full_page_writes=on',
  'synchronous_commit=on',
  'idle_in_transaction_session_timeout=60s',
];
let server: Awaited<ReturnType<typeof startPostgres>>;
beforeAll(async () => {
  server = await startPostgres(undefined, { settings: healthy });
});
afterAll(() => server?.stop());
const openCli = () => openCliAt(server.url);

interface Diagnosis {
  readonly code: number;
  readonly report: ReportDocument;
  /** What a check found, as `severity: what`. */
  found(check: string): string[];
}

/** What the doctor says. */
async function diagnose(
  cli: Pick<OpenCli, 'runWith'>,
  args: readonly string[] = [],
  changes: Partial<CliContext> = {},
): Promise<Diagnosis> {
  const { code, json } = await cli.runWith(changes, 'doctor', '--json', ...args);
  const report = json as ReportDocument;
  return {
    code,
    report,
    found: (check) =>
      report.findings
        .filter((finding) => finding.check === check)
        .map(({ severity, what }) => `${severity}: ${what}`),
  };
}

/** A role of the test's own, which may keep records unless it was not granted that. */
async function openRole(cli: OpenCli, { granted = true } = {}) {
  const role = `${cli.schema}_app`;
  await cli.pool.query(`create role ${role} login`);
  if (granted) await cli.pool.query(`select "${cli.schema}".grant_to($1)`, [role]);
  const url = new URL(cli.url);
  url.username = role;
  return {
    role,
    url: url.href,
    async alter(what: string) {
      await cli.pool.query(`alter role ${role} ${what}`);
    },
    async [Symbol.asyncDispose]() {
      await cli.pool.query(`drop owned by ${role}; drop role ${role}`);
    },
  };
}

describe('nothing is found', () => {
  test('where nothing is wrong, and that is 0', async () => {
    await using cli = await openCli();
    const request = newRequest({ leaseMs: 30_000 });
    await cli.store.reserve(request);
    await cli.store.complete(request, success('x', 86_400_000));
    const { code, report } = await diagnose(cli, ['--pool', '10', '--instances', '4']);
    expect(report.findings).toEqual([]);
    expect(report.checks.filter(({ result }) => result !== 'ok')).toEqual([]);
    expect(report.checks.length).toBeGreaterThanOrEqual(19);
    expect(code).toBe(0);
    const { stdout } = await cli.run('doctor');
    expect(stdout).toContain(`examined ${server.url}, schema ${cli.schema}`);
    expect(stdout).toContain('ok      schema-version');
    expect(stdout).toContain('skipped connections');
    expect(stdout).toContain('errors: 0, warnings: 0, advice: 0');
  });

  test('by looking: it changes nothing', async () => {
    await using cli = await openCli();
    const before = await cli.operator.partitions();
    const url = new URL(cli.url);
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const { report } = await diagnose(cli, ['--url', url.href]);
    expect(report.checks.filter(({ note }) => note === 'failed')).toEqual([]);
    expect(await cli.operator.partitions()).toEqual(before);
  });
});

describe('the schema', () => {
  test('has no tables', async () => {
    const runWith: OpenCli['runWith'] = (changes, ...args) =>
      run([...args, '--schema', 'nowhere', '--url', server.url], changes);
    const { code, found, report } = await diagnose({ runWith });
    expect(code).toBe(1);
    expect(found('schema-version')).toEqual(['error: The schema nowhere has no tables.']);
    const skipped = report.checks.filter(({ result }) => result === 'skipped');
    expect(skipped.map(({ check }) => check)).toContain('stale-leases');
  });

  test('lacks a migration', async () => {
    await using cli = await openCli();
    await cli.pool.query(`delete from "${cli.schema}".migrations where version > 1`);
    const { code, found } = await diagnose(cli);
    expect(code).toBe(1);
    expect(found('schema-version')[0]).toMatch(/^error: The schema test_\w+ lacks 0002_outbox/);
  });

  test('is of a later release', async () => {
    await using cli = await openCli();
    await cli.pool.query(`insert into "${cli.schema}".migrations values (99, '0099_later')`);
    const { found } = await diagnose(cli);
    expect(found('schema-version')[0]).toMatch(/is at migration 99, and this release knows/);
  });
});

describe('partitions', () => {
  test('are missing for tomorrow, or for now', async () => {
    await using cli = await openCli();
    const { partitions } = await cli.operator.partitions();
    const [today, tomorrow] = partitions.map(({ name }) => `"${cli.schema}"."${name}"`);
    await cli.pool.query(`drop table ${tomorrow}`);
    const ahead = await diagnose(cli);
    expect(ahead.code).toBe(1);
    expect(ahead.found('partitions-ahead')).toEqual([
      'warning: There is no partition for the keys of the next span of time.',
    ]);
    await cli.pool.query(`drop table ${today}`);
    expect((await diagnose(cli)).found('partitions-ahead')).toEqual([
      'warning: There is no partition for the keys of now.',
    ]);
    await cli.run('prune');
    expect((await diagnose(cli)).found('partitions-ahead')).toEqual([]);
  });

  test('should have been dropped long ago', async () => {
    await using cli = await openCli();
    const longAgo = (Math.floor(Date.now() / 86_400_000) - 30) * 86_400_000;
    await cli.pool.query(`update "${cli.schema}".layout set floor_ms = 0`);
    await cli.pool.query(`select "${cli.schema}".create_partition($1)`, [longAgo]);
    const { code, found } = await diagnose(cli);
    expect(code).toBe(1);
    expect(found('partitions-due')[0]).toMatch(
      /^warning: 1 partitions should have been dropped, records_\d{17} 2\dd/,
    );
    await cli.run('prune');
    expect((await diagnose(cli)).found('partitions-due')).toEqual([]);
  });
});

describe('clocks', () => {
  test('differ, by more than keys may be off or by less', async () => {
    await using cli = await openCli();
    const at = async (offsetMs: number, ...args: string[]) => {
      const now = () => Date.now() + offsetMs;
      return (await diagnose(cli, args, { now })).found('clock');
    };
    expect(await at(0)).toEqual([]);
    expect(await at(-10_000)).toEqual([
      expect.stringMatching(/^warning: The database’s clock is (9|10)s ahead of this machine’s/),
    ]);
    expect(await at(3_600_000)).toEqual([
      expect.stringMatching(/^error: The database’s clock is (1h|59m 59s) behind this machine’s/),
    ]);
    expect((await at(3_600_000, '--max-clock-skew', '2h'))[0]).toMatch(/^warning/);
  });
});

describe('settings', () => {
  test('synchronous_commit is off for a role, whoever asks', async () => {
    await using cli = await openCli();
    await using app = await openRole(cli);
    await app.alter('set synchronous_commit = off');
    const wrong = ['error: synchronous_commit is off for the role of the application.'];
    expect((await diagnose(cli, ['--url', app.url])).found('synchronous-commit')).toEqual(wrong);
    const { code, found } = await diagnose(cli, ['--role', app.role]);
    expect([code, found('synchronous-commit')]).toEqual([1, wrong]);
    // The operator's own role has it on, and that says nothing about the application.
    expect((await diagnose(cli)).found('synchronous-commit')).toEqual([]);
    await app.alter('in database postgres set synchronous_commit = on');
    expect((await diagnose(cli, ['--role', app.role])).found('synchronous-commit')).toEqual([]);
  });

  test('synchronous_commit of another role is not that of this connection', async () => {
    await using cli = await openCli();
    await using app = await openRole(cli);
    const url = new URL(cli.url);
    url.searchParams.set('options', '-c synchronous_commit=off');
    const asOperator = ['--url', url.href];
    expect((await diagnose(cli, asOperator)).found('synchronous-commit')).toHaveLength(1);
    const { found } = await diagnose(cli, [...asOperator, '--role', app.role]);
    expect(found('synchronous-commit')).toEqual([]);
  });

  test('fsync and full_page_writes are off', async () => {
    await using careless = await startPostgres();
    await using cli = await openCliAt(careless.url);
    const { code, found } = await diagnose(cli);
    expect(code).toBe(1);
    expect(found('fsync')).toEqual(['error: fsync is off.', 'error: full_page_writes is off.']);
  });

  test('sessions are read-only', async () => {
    await using cli = await openCli();
    await using app = await openRole(cli);
    await app.alter('set default_transaction_read_only = on');
    for (const args of [
      ['--url', app.url],
      ['--role', app.role],
    ]) {
      const { found } = await diagnose(cli, args);
      expect(found('read-only')).toEqual([
        'error: default_transaction_read_only is on for the role of the application.',
      ]);
    }
  });

  test('the server is a standby', async () => {
    await using standby = await startPostgres(undefined, { standby: true });
    const { code, json } = await run(['doctor', '--json', '--url', standby.url]);
    expect(code).toBe(1);
    expect(json.findings).toContainEqual(
      expect.objectContaining({
        check: 'read-only',
        what: 'This server is a standby.',
      }),
    );
  });

  test('the default isolation is stricter than the kit needs', async () => {
    await using cli = await openCli();
    await using app = await openRole(cli);
    await app.alter("set default_transaction_isolation = 'serializable'");
    const { found } = await diagnose(cli, ['--role', app.role]);
    expect(found('isolation')).toEqual([
      'warning: default_transaction_isolation is serializable for the role of the application.',
    ]);
    expect((await diagnose(cli)).found('isolation')).toEqual([]);
  });

  test('nothing ends a transaction that hangs: advice, and no failure by itself', async () => {
    await using cli = await openCli();
    await using app = await openRole(cli);
    await app.alter('set idle_in_transaction_session_timeout = 0');
    const { code, found } = await diagnose(cli, ['--role', app.role]);
    expect(found('idle-in-transaction')).toEqual([
      'advice: idle_in_transaction_session_timeout is not set.',
    ]);
    expect(code).toBe(0);
    await app.alter("set idle_in_transaction_session_timeout = '60s'");
    const after = await diagnose(cli, ['--role', app.role]);
    expect(after.found('idle-in-transaction')).toEqual([]);
  });

  test('autovacuum is off for a table', async () => {
    await using cli = await openCli();
    const alter = `alter table "${cli.schema}".outbox_jobs`;
    await cli.pool.query(`${alter} set (autovacuum_enabled = off)`);
    expect((await diagnose(cli)).found('autovacuum')).toEqual([
      'warning: Autovacuum is off for outbox_jobs.',
    ]);
    await cli.pool.query(`${alter} reset (autovacuum_enabled)`);
    expect((await diagnose(cli)).found('autovacuum')).toEqual([]);
  });
});

describe('connections', () => {
  test('are wanted by more pools than the server takes', async () => {
    await using cli = await openCli();
    const wanted = async (pool: number, instances: number, ...args: string[]) =>
      diagnose(cli, ['--pool', `${pool}`, '--instances', `${instances}`, ...args]);
    // 200 connections, of which 3 are for superusers.
    expect((await wanted(197, 1)).found('connections')).toEqual([]);
    const { code, found } = await wanted(20, 10);
    expect(code).toBe(1);
    expect(found('connections')).toEqual([
      'error: 10 instances with a pool of 20 want 200 connections; ' +
        'max_connections, less what is reserved is 197.',
    ]);
    await using app = await openRole(cli);
    await app.alter('connection limit 5');
    const limited = await wanted(6, 1, '--role', app.role);
    expect(limited.found('connections')[0]).toMatch(/the connection limit of the role is 5/);
    expect((await wanted(5, 1, '--role', app.role)).found('connections')).toEqual([]);
  });

  test('go through a pooler that hands each transaction to another backend', async () => {
    await using cli = await openCli();
    await using pooler = await openTransactionPooler(cli.url);
    const { code, found } = await diagnose(cli, ['--url', pooler.url]);
    expect(code).toBe(1);
    expect(found('transaction-pooling')).toEqual([
      'warning: A pooler in transaction mode is in between.',
    ]);
    expect((await diagnose(cli)).found('transaction-pooling')).toEqual([]);
  });

  test('have a transaction open for long', async () => {
    await using cli = await openCli();
    const client = await cli.pool.connect();
    try {
      await client.query('begin; select 1');
      await elapse(50);
      const { found } = await diagnose(cli, ['--patience', '40ms']);
      expect(found('open-transactions')[0]).toMatch(
        /transactions have been open for more than 40ms/,
      );
      expect((await diagnose(cli, ['--patience', '10m'])).found('open-transactions')).toEqual([]);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});

describe('rights', () => {
  test('are missing, for another role and for the one that asks', async () => {
    await using cli = await openCli();
    await using app = await openRole(cli, { granted: false });
    const { code, found } = await diagnose(cli, ['--role', app.role]);
    expect(code).toBe(1);
    expect(found('rights')[0]).toMatch(/^error: The role test_\w+_app lacks .* and \d+ more\.$/);
    const itself = await diagnose(cli, ['--url', app.url]);
    expect(itself.found('rights')[0]).toMatch(/^error: This role lacks/);
    expect(itself.code).toBe(1);
    await cli.pool.query(`select "${cli.schema}".grant_to($1)`, [app.role]);
    for (const args of [
      ['--role', app.role],
      ['--url', app.url],
    ]) {
      expect((await diagnose(cli, args)).found('rights')).toEqual([]);
    }
    const { partitions } = await cli.operator.partitions();
    await cli.pool.query(
      `revoke insert on "${cli.schema}"."${partitions[1]!.name}" from ${app.role}`,
    );
    expect((await diagnose(cli, ['--role', app.role])).found('rights')).toEqual([
      `error: The role ${app.role} lacks insert on ${partitions[1]!.name}.`,
    ]);
  });

  test('of a role that does not exist cannot be checked, and that is said', async () => {
    await using cli = await openCli();
    const { code, found } = await diagnose(cli, ['--role', 'nobody_at_all']);
    expect(code).toBe(1);
    expect(found('rights')[0]).toMatch(
      /^error: .*could not be checked: role "nobody_at_all" does not exist/,
    );
  });
});

describe('work is neglected', () => {
  test('leases ran out and nobody sweeps', async () => {
    await using cli = await openCli();
    await cli.store.reserve(newRequest({ leaseMs: 1 }));
    await elapse(50);
    const { code, found } = await diagnose(cli, ['--patience', '20ms']);
    expect(code).toBe(1);
    expect(found('stale-leases')[0]).toMatch(/^warning: 1 leases ran out and were not swept/);
    expect((await diagnose(cli)).found('stale-leases')).toEqual([]);
    await cli.run('sweep');
    expect((await diagnose(cli, ['--patience', '20ms'])).found('stale-leases')).toEqual([]);
  });

  test('outcomes are unknown and nobody settles', async () => {
    await using cli = await openCli();
    const request = newRequest();
    await cli.store.reserve(request);
    await cli.store.doubt(request);
    await elapse(50);
    const { found } = await diagnose(cli, ['--patience', '20ms']);
    expect(found('unknown-outcomes')[0]).toMatch(/^warning: 1 outcomes are unknown/);
    expect((await diagnose(cli)).found('unknown-outcomes')).toEqual([]);
  });

  test('jobs are dead', async () => {
    await using cli = await openCli();
    await addJobs(cli, { task: 'ship', state: 'dead' }, { task: 'pay', state: 'dead' });
    expect((await diagnose(cli)).found('dead-jobs')).toEqual([
      'warning: 2 jobs are dead: 1 of pay, 1 of ship.',
    ]);
  });

  test('jobs are due and no relay takes them', async () => {
    await using cli = await openCli();
    await addJobs(cli, { task: 'ship', state: 'waiting' }, { task: 'pay', state: 'running' });
    await elapse(50);
    const { found } = await diagnose(cli, ['--patience', '20ms']);
    expect(found('waiting-jobs')[0]).toMatch(/^warning: 1 jobs of ship are late/);
    expect((await diagnose(cli)).found('waiting-jobs')).toEqual([]);
  });
});

describe('leases', () => {
  const retention = ['--answer-retention', '1m'];

  test('are too short for the p99 that was seen, by operation', async () => {
    await using cli = await openCli();
    // Of a lease of thirty seconds, this much is left when they complete.
    for (const [operation, leaseMs] of [
      ['relaxed', 25_000],
      ['tight', 2_000],
      ['lost', 1],
    ] as const) {
      const request = newRequest({ operation, leaseMs });
      await cli.store.reserve(request);
      await elapse(20);
      await cli.store.complete(request, success());
    }
    const { code, found } = await diagnose(cli, [...retention, '--lease', '30s']);
    expect(code).toBe(1);
    expect(found('lease-margin')).toEqual([
      expect.stringMatching(/^error: Of lost, the p99 has used 30s of its lease of 30s/),
      expect.stringMatching(/^warning: Of tight, the p99 has used 28s of its lease of 30s/),
    ]);
  });

  test('are not judged by an answer retention that cannot be right', async () => {
    await using cli = await openCli();
    const request = newRequest();
    await cli.store.reserve(request);
    await cli.store.complete(request, success());
    const { found } = await diagnose(cli, ['--answer-retention', '24h']);
    expect(found('lease-margin')[0]).toMatch(/^advice: The leases of pay cannot be judged/);
  });
});
