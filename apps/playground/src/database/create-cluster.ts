import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { PostgresPlace } from './postgres-place.ts';

/**
 * Creates the files of an empty database, unless they are there.
 *
 * Beside their place, and moved there when complete: a start that is cut off half-way leaves
 * nothing that the next one could take for data.
 */
export async function createCluster({ binaries, cluster, user }: PostgresPlace): Promise<void> {
  if (existsSync(cluster)) return;
  console.log('Creating a database …');
  const staging = `${cluster}-new`;
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { mode: 0o700 });
  if (user) chownSync(staging, user.uid, user.gid);
  // Trust: the server listens on the loopback interface only, and keeps nothing but play money.
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C'];
  await promisify(execFile)(join(binaries, 'initdb'), ['-D', staging, ...options], {
    ...user,
    cwd: dirname(cluster),
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' },
  });
  renameSync(staging, cluster);
}
