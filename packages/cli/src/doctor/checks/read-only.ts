import { examined } from '../finding.ts';
import type { PostgresCheck } from '../postgres-check.ts';
import { isOff, settingOf } from '../settings-of.ts';

/** Whether anything can be written here at all. */
export const readOnly: PostgresCheck = {
  name: 'read-only',
  needs: 'connection',
  async examine(subject) {
    const { rows } = await subject.database.pool.query<{ standby: boolean }>(
      'select pg_is_in_recovery() as standby',
    );
    const why = 'No key can be reserved: every mutation is refused with 503.';
    if (rows[0]?.standby) {
      return examined('standby', {
        severity: 'error',
        what: 'This server is a standby.',
        why,
        do: 'Connect to the primary; with several hosts in the URL, add target_session_attrs=read-write.',
      });
    }
    if (isOff(await settingOf(subject, 'default_transaction_read_only')))
      return examined('primary');
    return examined('read-only', {
      severity: 'error',
      what: 'default_transaction_read_only is on for the role of the application.',
      why,
      do: 'alter role … reset default_transaction_read_only, and look for it in `alter database`.',
    });
  },
};
