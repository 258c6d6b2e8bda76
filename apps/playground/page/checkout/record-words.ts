import type { JournalRecord } from '@onceward/client';

/** Where an intent stands, for people. */
export function recordWords({ state, reason, attempts, delayMs = 0 }: JournalRecord): string {
  switch (state) {
    case 'queued':
      return 'safe here, not sent yet';
    case 'sending':
      return `attempt ${attempts} is under way`;
    case 'waiting':
      return `${(reason && reasons[reason]) ?? 'no answer'}, again in ${seconds(delayMs)}`;
    case 'unresolved':
      return 'nobody can know any more';
    case 'succeeded':
    case 'failed':
    case 'cancelled':
      return 'settled';
  }
}

const reasons: Partial<Record<NonNullable<JournalRecord['reason']>, string>> = {
  'in-progress': 'still running there',
  'outcome-unknown': 'the server is not sure',
  network: 'no connection',
  timeout: 'too slow',
  http: 'refused for now',
  'refused-for-now': 'refused for now',
  budget: 'another one finds out',
};

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
