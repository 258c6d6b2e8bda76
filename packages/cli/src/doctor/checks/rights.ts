import { examined, skipped } from '../finding.ts';
import type { PostgresCheck } from '../postgres-check.ts';

/** Whether the role of the application may do what keeping records takes. */
export const rights: PostgresCheck = {
  name: 'rights',
  needs: 'connection',
  async examine({ database: { operator, pool, schema }, options: { role } }) {
    const { rowCount } = await pool.query('select from pg_namespace where nspname = $1::text', [
      schema,
    ]);
    if (!rowCount) return skipped('there is no such schema');
    const missing = await operator.missingRights(role);
    const who = role === undefined ? 'This role' : `The role ${role}`;
    if (missing.length === 0) return examined('complete');
    const [shown, rest] = [missing.slice(0, 5), missing.length - 5];
    const list = shown.map(({ right, on }) => `${right} on ${on}`).join(', ');
    return examined(`${missing.length} missing`, {
      severity: 'error',
      what: `${who} lacks ${list}${rest > 0 ? ` and ${rest} more` : ''}.`,
      why: 'What needs them is refused with 503, perhaps only when a new partition is due.',
      do: `As the owner of the tables: select "${schema}".grant_to('${role ?? '…'}').`,
    });
  },
};
