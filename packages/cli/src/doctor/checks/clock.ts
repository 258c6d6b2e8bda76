import { formatDuration } from '../../duration.ts';
import { examined } from '../finding.ts';
import type { PostgresCheck } from '../postgres-check.ts';

/** Whether the database's clock agrees with the one here. */
export const clock: PostgresCheck = {
  name: 'clock',
  needs: 'connection',
  async examine({ database: { operator }, options, now }) {
    const { aheadMs, uncertaintyMs } = await operator.clock(now);
    // What the question itself may explain is no difference.
    const differenceMs = Math.max(0, Math.abs(aheadMs) - uncertaintyMs);
    const note = `within ${formatDuration(Math.abs(aheadMs) + uncertaintyMs)}`;
    if (differenceMs <= TOLERATED_MS) return examined(note);
    const beyond = differenceMs > options.maxClockSkewMs;
    return examined(note, {
      severity: beyond ? 'error' : 'warning',
      what:
        `The database’s clock is ${formatDuration(differenceMs)} ` +
        `${aheadMs > 0 ? 'ahead of' : 'behind'} this machine’s.`,
      why: beyond
        ? `That is more than the ${formatDuration(options.maxClockSkewMs)} of maxClockSkewMs: keys ` +
          'are refused as too old or from the future, and one may be forgotten too early.'
        : 'Leases run by the database’s clock, and the age of keys is judged by both.',
      do: 'Synchronise both with NTP. If this machine is not one of the servers, ask there, too.',
    });
  },
};

const TOLERATED_MS = 2_000;
