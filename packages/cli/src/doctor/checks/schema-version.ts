import { pendingMigrations } from '@onceward/postgres';
import { examined } from '../finding.ts';
import type { PostgresCheck } from '../postgres-check.ts';

/** Whether the tables are those of this release. */
export const schemaVersion: PostgresCheck = {
  name: 'schema-version',
  needs: 'connection',
  async examine({ database: { operator, pool, schema } }) {
    const { installed, known } = await operator.schemaVersion();
    const note = `migration ${installed} of ${known}`;
    if (installed === known) return examined(note);
    if (installed > known) {
      return examined(note, {
        severity: 'error',
        what: `The schema ${schema} is at migration ${installed}, and this release knows ${known}.`,
        why: 'An older release may not know a column that keeps a promise of the newer one.',
        do: 'Upgrade the @onceward packages of everything that connects, and this tool.',
      });
    }
    const pending = await pendingMigrations(pool, { schema });
    return examined(note, {
      severity: 'error',
      what:
        installed === 0
          ? `The schema ${schema} has no tables.`
          : `The schema ${schema} lacks ${pending.join(', ')}.`,
      why: 'The store refuses to start on it, and so every mutation is refused with 503.',
      do: 'Run `onceward migrate`, or pass --schema if the tables are in another one.',
    });
  },
};
