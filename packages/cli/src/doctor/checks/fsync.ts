import { examined, type Finding } from '../finding.ts';
import type { PostgresCheck } from '../postgres-check.ts';
import { isOff, settingOf } from '../settings-of.ts';

/** Whether the server writes to disk what it says it wrote. */
export const fsync: PostgresCheck = {
  name: 'fsync',
  needs: 'connection',
  async examine(subject) {
    const findings: Finding[] = [];
    for (const name of ['fsync', 'full_page_writes']) {
      if (!isOff(await settingOf(subject, name))) continue;
      findings.push({
        severity: 'error',
        what: `${name} is off.`,
        why: 'A crash of the machine can lose or damage what was committed: keys are forgotten, and their effects happen twice.',
        do: `Set ${name} = on in postgresql.conf and reload. Off is for tests.`,
      });
    }
    return examined(findings.length === 0 ? 'on' : 'off', ...findings);
  },
};
