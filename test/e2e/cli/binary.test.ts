import { once } from 'node:events';
import { newRequest, success } from '@onceward/conformance/requests';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres, type PostgresFixture } from '../../support/open-postgres.ts';
import { type Binary, openBinary } from './open-binary.ts';

let binary: Binary;
beforeAll(async () => {
  binary = await openBinary();
});
afterAll(() => binary?.[Symbol.dispose]());

/** A command on the schema of a test. */
function on({ url, schema }: PostgresFixture) {
  const env = { DATABASE_URL: url, USER: 'ada' };
  return {
    run: (...args: string[]) => binary.run([...args, '--schema', schema], env),
    start: (...args: string[]) => binary.start([...args, '--schema', schema], env),
  };
}

describe('an operator', () => {
  test('finds a key that is unknown, settles it on evidence, and sees who did', async () => {
    await using postgres = await openPostgres();
    const { run } = on(postgres);
    const request = newRequest({ leaseMs: 1, onStaleLease: 'unknown' });
    await postgres.store().reserve(request);
    await new Promise((resolve) => setTimeout(resolve, 20));

    expect(await run('sweep')).toMatchObject({ code: 0, stdout: '0 released, 1 became unknown\n' });
    const unknown = await run('keys', '--state', 'unknown', '--json');
    expect(JSON.parse(unknown.stdout).records).toMatchObject([{ key: request.key }]);
    const settle = ['settle', request.key, '--not-executed', '--evidence', 'no charge'];
    expect(await run(...settle)).toMatchObject({ code: 1, stdout: '' });
    expect(await run(...settle, '--quiet', '1ms')).toMatchObject({ code: 0, stderr: '' });
    const shown = await run('show', request.key);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toMatch(/Z {2}ada {2}settle: not-executed {2}"no charge"/);
  });

  test('hears from the doctor what is wrong, and a monitor from its exit code', async () => {
    await using postgres = await openPostgres();
    const doctor = ['doctor', '--schema', 'nowhere', '--url', postgres.url];
    const { code, stdout, stderr } = await binary.run(doctor);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toContain('error (schema-version): The schema nowhere has no tables.');
    const inJson = await binary.run([...doctor, '--json']);
    expect(JSON.parse(inJson.stdout).findings[0]).toMatchObject({
      check: 'schema-version',
      severity: 'error',
      what: expect.any(String),
      why: expect.any(String),
      do: expect.stringContaining('onceward migrate'),
    });
  });

  test('is not asked anything where there is no terminal', async () => {
    await using postgres = await openPostgres();
    const request = newRequest();
    await postgres.store().reserve(request);
    await postgres.store().complete(request, success());
    const bust = ['bust', request.key, '--reason', 'again', '--even-if-executed'];
    expect(await on(postgres).run(...bust)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--yes'),
    });
    expect(await on(postgres).run(...bust, '--yes')).toMatchObject({ code: 0 });
  });
});

describe('the process', () => {
  test('ends a watch at Ctrl-C, at once and with 0', async () => {
    await using postgres = await openPostgres();
    const { child, ended } = on(postgres).start('watch', '--json', '--interval', '1h');
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    const { code, signal, stdout, stderr } = await ended;
    expect([code, signal, stderr]).toEqual([0, null, '']);
    expect(JSON.parse(stdout)).toMatchObject({ perSecond: null });
  });

  test('ends without a word when whoever reads has seen enough', async () => {
    await using postgres = await openPostgres();
    const store = postgres.store();
    // More than a pipe holds.
    await Promise.all(Array.from({ length: 400 }, () => store.reserve(newRequest())));
    const { child, ended } = on(postgres).start('keys', '--all', '--limit', '20', '--json');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' });
  });

  test('says where it could not connect, and never the password: 3', async () => {
    const DATABASE_URL = 'postgres://ada:very-secret@127.0.0.1:1/shop';
    for (const command of ['stats', 'doctor', 'migrate', 'sweep']) {
      const { code, stdout, stderr } = await binary.run([command], { DATABASE_URL });
      expect([code, stdout]).toEqual([3, '']);
      expect(stderr).toContain('postgres://ada@127.0.0.1:1/shop');
      expect(stderr).not.toContain('secret');
    }
  });

  test('ends with 2 for a wrong command line, and with 4 where there are no tables', async () => {
    await using postgres = await openPostgres();
    expect(await binary.run(['keys'])).toMatchObject({ code: 2, stdout: '' });
    expect(await on(postgres).run('keys', '--lost')).toMatchObject({ code: 2, stdout: '' });
    const elsewhere = ['keys', '--url', postgres.url, '--schema', 'nowhere'];
    expect(await binary.run(elsewhere)).toMatchObject({ code: 4, stdout: '' });
  });
});
