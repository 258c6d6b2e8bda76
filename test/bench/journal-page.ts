// The page in which journals are measured: pending records, and no network to send them over.
import { createJournal, type Journal, type JournalOptions } from '@onceward/client';
import { indexedDbJournal } from '@onceward/client/indexeddb';

const offline: JournalOptions['network'] = { online: () => false, listen: () => () => {} };

function open(name: string): Journal {
  const store = indexedDbJournal({ name });
  const journal = createJournal({ store, scope: 'alice', network: offline, maxRecords: 100_000 });
  journal.connect('shop', {
    send: () => Promise.reject(new Error('There is no network')),
    describeFailure: () => ({ kind: 'network' }),
    preserve: () => undefined,
    revive: () => undefined,
  });
  return journal;
}

async function submit(journal: Journal): Promise<void> {
  const input = { to: 'bob', amountCents: 1200, note: 'For the tea, and the cake of last week' };
  await journal.submit({ channel: 'shop', operation: 'pay', input });
}

/** Leaves pending records in a database. */
export async function fill(name: string, records: number): Promise<void> {
  const journal = open(name);
  const atOnce = 500;
  for (let left = records; left > 0; left -= atOnce) {
    await Promise.all(Array.from({ length: Math.min(left, atOnce) }, () => submit(journal)));
  }
  journal.close();
}

/** How long it takes until somebody who shows the records sees all that are pending. */
export async function openMs(name: string, records: number): Promise<number> {
  const start = performance.now();
  const journal = open(name);
  await new Promise<void>((resolve) => {
    const stop = journal.subscribe(() => {
      if (journal.records().length < records) return;
      stop();
      resolve();
    });
  });
  const elapsedMs = performance.now() - start;
  journal.close();
  return elapsedMs;
}

/** What submitting takes on average, for each database in turn, round by round. */
export async function submitMs(names: readonly string[], rounds: number): Promise<number[][]> {
  const journals = names.map(open);
  const submissions = 20;
  const samples: number[][] = names.map(() => []);
  for (let round = -2; round < rounds; round++) {
    for (const [index, journal] of journals.entries()) {
      const start = performance.now();
      for (let count = 0; count < submissions; count++) await submit(journal);
      // The first rounds warm up.
      if (round >= 0) samples[index]?.push((performance.now() - start) / submissions);
    }
  }
  for (const journal of journals) journal.close();
  return samples;
}
