import { setTimeout as passes } from 'node:timers/promises';
import { quietFor, type Trouble } from './trouble.ts';

/** Ends connections, and from time to time the whole server, or the space on its disk. */
export async function breakDatabase(trouble: Trouble): Promise<void> {
  await Promise.all([terminateBackends(trouble), crash(trouble)]);
}

async function terminateBackends({ admin, random, over, count }: Trouble): Promise<void> {
  while (!over()) {
    await passes(700 + random() * 1_000);
    const { rowCount } = await admin
      .query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where backend_type = 'client backend' and pid <> pg_backend_pid()
          order by random() limit 2`,
      )
      .catch(() => ({ rowCount: 0 }));
    for (let ended = 0; ended < (rowCount ?? 0); ended++) count('database: connection terminated');
  }
}

async function crash(trouble: Trouble): Promise<void> {
  const { postgres, disk, random, over, count } = trouble;
  while (!(await quietFor(8_000 + random() * 6_000, over))) {
    if (disk && random() < 0.5) {
      disk.leave(0);
      await passes(500 + random() * 1_500);
      disk.leave('enough');
      count('database: disk full');
      await recovered(trouble);
    } else {
      await postgres.stopImmediately();
      await postgres.restart();
      count('database: stopped at once, and recovered');
    }
  }
}

/** Without space for its log PostgreSQL ends by itself: then it is started again. */
async function recovered({ admin, postgres, count }: Trouble): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const failed = await admin.query('select 1').then(
      () => false,
      () => true,
    );
    if (!failed) return;
    await passes(100);
    // Refused by the one that runs, while it recovers.
    if (tries % 20 !== 19) continue;
    await postgres.restart().then(
      () => count('database: ended on a full disk, and recovered'),
      () => undefined,
    );
  }
  throw new Error('PostgreSQL did not recover from a full disk');
}
