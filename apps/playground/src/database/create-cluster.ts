import { execFile } from 'node:child_process';
import { chownSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from './make-folder.ts';
import type { PostgresPlace } from './postgres-place.ts';

/** Creates the files of an empty database, unless they are there. */
export async function createCluster({ binaries, cluster, user }: PostgresPlace): Promise<void> {
  await makeFolder(cluster, async (staging) => {
    console.log('Creating a database …');
    if (user) chownSync(staging, user.uid, user.gid);
    // Trust: the server listens on the loopback interface only, and keeps nothing but play money.
    const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C'];
    await promisify(execFile)(join(binaries, 'initdb'), ['-D', staging, ...options], {
      ...user,
      cwd: dirname(cluster),
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' },
    });
  });
}
