import { examined } from '../finding.ts';
import type { PostgresCheck } from '../postgres-check.ts';
import { settingOf } from '../settings-of.ts';

/** Whether a handler that hangs gives its transaction up some day. */
export const idleInTransaction: PostgresCheck = {
  name: 'idle-in-transaction',
  needs: 'connection',
  async examine(subject) {
    const value = await settingOf(subject, 'idle_in_transaction_session_timeout');
    if (Number.parseFloat(value) > 0) return examined(value);
    return examined(value, {
      severity: 'advice',
      what: 'idle_in_transaction_session_timeout is not set.',
      why: 'An atomic mutation whose process hangs, or lost its network, holds the lock of its key until TCP notices, which may take hours.',
      do: "alter role … set idle_in_transaction_session_timeout = '60s', longer than any handler waits for something outside.",
    });
  },
};
