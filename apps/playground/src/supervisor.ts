import { join } from 'node:path';
import { databaseUrl } from './database/database-url.ts';
import { assertPortIsFree, freePort } from './ports/free-port.ts';
import { keepRunning, type KeptProcess, type Program } from './processes/keep-running.ts';
import { onNpmGone } from './processes/on-npm-gone.ts';
import { readSettings } from './settings.ts';

export interface SupervisorOptions {
  /** Where the bundled programs are. */
  readonly programs: string;
  /** Where the data is kept, unless PLAYGROUND_DATA says otherwise. */
  readonly defaultData: string;
}

/**
 * Runs the playground until it is told to stop.
 *
 *   npm start ─▶ supervisor ─┬─▶ database-process ─▶ postgres
 *                            └─▶ server-process, started again whenever it crashes
 */
export async function supervise({ programs, defaultData }: SupervisorOptions): Promise<void> {
  const kept: KeptProcess[] = [];
  let ending: Promise<void> | undefined;
  const end = (exitCode: number) => {
    ending ??= stopAll(kept).then(() => process.exit(exitCode));
  };
  // Twice for one Ctrl-C: from the terminal, and from npm.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0));
  onNpmGone(() => end(0));

  const giveUp = (reason: string) => {
    if (!ending) console.error(`onceward playground: ${reason}`);
    end(1);
  };
  /** Resolves when the program is ready for the first time. */
  const run = (name: string, program: Program) =>
    new Promise<void>((onReady) => {
      if (ending) return;
      const onRestart = (reason: string) => {
        if (!ending) console.log(`The ${name} is started again: ${reason}.`);
      };
      kept.push(keepRunning(program, { onReady, onRestart, onGiveUp: giveUp }));
    });

  try {
    const { port, host, dataFolder } = readSettings(process.env, defaultData);
    await assertPortIsFree(port, host);
    const databasePort = await freePort();
    console.log('Starting PostgreSQL …');
    await run('database', {
      file: join(programs, 'database-process.js'),
      environment: { PLAYGROUND_DATA: dataFolder, DATABASE_PORT: String(databasePort) },
      apart: true,
    });
    console.log('Starting the server …');
    await run('server', {
      file: join(programs, 'server-process.js'),
      environment: { DATABASE_URL: databaseUrl(databasePort), PORT: String(port), HOST: host },
    });
    console.log(`onceward playground: http://localhost:${port}`);
  } catch (error) {
    giveUp(error instanceof Error ? error.message : String(error));
  }
}

/** The server before the database that it uses. */
async function stopAll(kept: readonly KeptProcess[]): Promise<void> {
  for (const each of kept.toReversed()) await each.stop();
}
