import { examined } from '../finding.ts';
import type { PostgresCheck } from '../postgres-check.ts';
import { settingOf } from '../settings-of.ts';

/** Whether single statements meet conflicts that READ COMMITTED does not know. */
export const isolation: PostgresCheck = {
  name: 'isolation',
  needs: 'connection',
  async examine(subject) {
    const level = await settingOf(subject, 'default_transaction_isolation');
    if (['read committed', 'read uncommitted'].includes(level)) return examined(level);
    return examined(level, {
      severity: 'warning',
      what: `default_transaction_isolation is ${level} for the role of the application.`,
      why: 'Duplicates that arrive together make each other fail and are sent again, up to five times; under load some are refused with 503.',
      do: 'Leave the default at read committed, and ask for more where you begin your own transactions.',
    });
  },
};
