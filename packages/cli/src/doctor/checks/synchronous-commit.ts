import { examined } from '../finding.ts';
import type { PostgresCheck } from '../postgres-check.ts';
import { isOff, settingOf } from '../settings-of.ts';

/** Whether a commit that was acknowledged survives a crash. */
export const synchronousCommit: PostgresCheck = {
  name: 'synchronous-commit',
  needs: 'connection',
  async examine(subject) {
    const value = await settingOf(subject, 'synchronous_commit');
    if (!isOff(value)) return examined(value);
    return examined(value, {
      severity: 'error',
      what: 'synchronous_commit is off for the role of the application.',
      why: 'A crash of the server forgets leases and answers that were acknowledged, and their effects happen twice.',
      do: 'alter role … set synchronous_commit = on, and look for it in `alter database`, postgresql.conf and the URL.',
    });
  },
};
