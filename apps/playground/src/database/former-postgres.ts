import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { connectTo } from './connect-to.ts';
import { lookAfter } from './look-after.ts';

/**
 * Makes way for a new PostgreSQL on this cluster: stops one that a former playground left behind
 * when it was killed together with the process that looked after it.
 *
 * Refuses while another playground runs on the same data.
 */
export async function stopFormerPostgres(cluster: string): Promise<void> {
  const former = readPidFile(cluster);
  if (!former) return;
  const client = await firstAnswer(cluster, former);
  if (!client) return removeStrangersPid(cluster, former.pid);

  await startersTurn(client);
  if ((await lookAfter(client)) === 'taken') {
    await client.end();
    throw new Error('another playground is running on the same data');
  }
  console.log('Stopping the PostgreSQL that a former playground left behind …');
  process.kill(former.pid, 'SIGINT');
  await client.end().catch(() => undefined);
  await ended(cluster);
}

/** Waits for one that is just starting, or ending: `undefined` when it does not answer any more. */
async function firstAnswer(
  cluster: string,
  { pid, port }: PidFile,
): Promise<pg.Client | undefined> {
  const deadline = performance.now() + 15_000;
  for (;;) {
    const client = await connectTo(cluster, port);
    const starting = commandOf(pid)?.includes(cluster) && performance.now() < deadline;
    if (client || !starting) return client;
    await pause(20);
  }
}

/** Of two that start at a time, one has just started this PostgreSQL, and will look after it. */
async function startersTurn(client: pg.Client): Promise<void> {
  await client.query(
    `select pg_sleep(2 - extract(epoch from clock_timestamp() - pg_postmaster_start_time()))`,
  );
}

/** Waits for the last thing it does. Its process may stay in the list where nobody collects them. */
async function ended(cluster: string): Promise<void> {
  const deadline = performance.now() + 15_000;
  while (existsSync(pidFile(cluster))) {
    if (performance.now() > deadline) throw new Error('the former PostgreSQL does not end');
    await pause(20);
  }
}

interface PidFile {
  readonly pid: number;
  readonly port: number;
}

/** PostgreSQL writes its process id into the first line, and its port into the fourth. */
function readPidFile(cluster: string): PidFile | undefined {
  try {
    const [pid, , , port] = readFileSync(pidFile(cluster), 'utf8').split('\n').map(Number);
    return pid && port ? { pid, port } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * After a restart of the machine or its container, the id may be that of any other process, and
 * PostgreSQL would refuse to start. (If it is nobody's, PostgreSQL itself looks what is left of
 * the former one: better not to touch the file.)
 */
function removeStrangersPid(cluster: string, pid: number): void {
  const command = commandOf(pid);
  if (command !== undefined && !command.includes(cluster)) {
    rmSync(pidFile(cluster), { force: true });
  }
}

/** `undefined` when there is no such process, or no way to know. */
function commandOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return undefined;
  }
}

function pidFile(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}
