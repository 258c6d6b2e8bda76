import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';

test(
  'a run tells killed, surviving and broken mutants apart, and fails',
  { timeout: 90_000 },
  () => {
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, '..', 'run.mjs')],
      {
        encoding: 'utf8',
        env: {
          ...process.env,
          ONCEWARD_MUTANT_LISTS: join(import.meta.dirname, 'fixtures'),
          DATABASE_URL: inject('postgresUrl'),
          REDIS_URL: inject('redisUrl'),
        },
      },
    );
    const verdicts = stdout
      .split('\n')
      .filter((line) => / s {2}samples: /.test(line))
      .map((line) => line.replace(/\s+[\d.]+ s\s+samples:/, ':'));
    expect(verdicts.sort()).toEqual([
      'broken: a change that is not JavaScript',
      'broken: a file that no test loads',
      'broken: a text that is not there',
      'killed: a mistake',
      'survived: a change that means the same',
    ]);
    expect(stdout).toContain('1 of 5 mutants killed');
    expect(stdout).toContain('its text is not in packages/server/src/memory/memory-store.ts');
    expect(status).toBe(1);
  },
);
