// A device: mutations go through the shipped journal in a folder, until the device dies. The next one
// goes on with the same folder.
import { join } from 'node:path';
import { setTimeout as passes } from 'node:timers/promises';
import { createJournal, type Journal } from '@onceward/client';
import { fileJournal } from '@onceward/client/node';
import type { JournalStore } from '@onceward/core/journal';
import { pick, seededRandom } from '../support/seeded-random.ts';
import { deviceChannel } from './device-channel.ts';
import { noteIn } from './device-ledger.ts';
import type { DevicePoint } from './device-points.ts';
import type { Death } from './failpoints.ts';
import type { Form } from './forms.ts';
import { tearWrites } from './tear-writes.ts';

export interface DeviceOrder {
  /** Of the journal, and of the ledger beside it. */
  readonly folder: string;
  readonly tenant: string;
  /** Of the entrances. */
  readonly ports: readonly number[];
  readonly seed: number;
  readonly dieAt?: Death<DevicePoint> | undefined;
  /** All is well: nothing new is submitted, and it says so when nothing is left. */
  readonly settles: boolean;
}

/** What it says when its journal is empty. */
export type DeviceWord = 'settled';

process.on('disconnect', () => process.exit());
process.on('message', (order: DeviceOrder) => void live(order));

async function live({ folder, tenant, ports, seed, dieAt, settles }: DeviceOrder): Promise<void> {
  const random = seededRandom(seed);
  const note = noteIn(folder);
  if (settles) note({ kind: 'healed' });
  let left = dieAt?.time ?? 0;
  const diesAt = (point: DevicePoint) => {
    note({ kind: 'came', point });
    return point === dieAt?.point && --left === 0;
  };
  const at = (point: DevicePoint) => {
    if (diesAt(point)) process.kill(process.pid, 'SIGKILL');
  };
  await tearWrites(join(folder, 'ledger'), () => diesAt('journal-torn-write'));

  const journal = createJournal({
    store: mortal(fileJournal({ folder: join(folder, 'journal') }), at),
    scope: tenant,
    ...{ attemptTimeoutMs: 4_000, baseDelayMs: 50, maxDelayMs: 300 },
  });
  const shop = deviceChannel({
    tenant,
    port: () => pick(ports, random),
    onSending: ({ id, key }) => note({ kind: 'sent', id, key }),
    onAnswer: () => at('response-before-settle'),
  });
  journal.connect('shop', shop);
  for (const form of new Set(wishes)) {
    journal.onSettled(form, (settled) => {
      at('settle-before-ack');
      const answer = settled.kind === 'succeeded' ? (settled.result as string) : null;
      note({ kind: 'told', id: settled.record.id, answer });
    });
  }
  if (settles) return settle(journal);

  for (;;) {
    // Nobody goes on for ever without an answer, and a journal that is full takes no more.
    while (journal.records().length >= mostAtOnce) await passes(50);
    const id = journal.mintKey();
    const form = pick(wishes, random);
    note({ kind: 'submitting', id, form });
    const input = { cents: Math.floor(random() * 1e4) };
    await journal.submit({ channel: 'shop', operation: form, input, key: id });
    note({ kind: 'persisted', id });
    await passes(random() * 250);
  }
}

/** How much a device has under way before its owner waits. */
const mostAtOnce = 40;

/** What devices want, as often as they want it. What is declined stays so: nobody helps. */
const wishes = [
  ...(['atomic', 'atomic', 'atomic'] as const),
  ...(['transactional-steps', 'outside-steps', 'declined'] as const),
] satisfies readonly Form[];

/** A store with points to die at where a journal is about to use it. */
function mortal(store: JournalStore, at: (point: DevicePoint) => void): JournalStore {
  return {
    ...store,
    insert(row) {
      // What a journal keeps of the server's clock is nobody's intent.
      if (row.scope !== '') at('journal-before-persist');
      return store.insert(row);
    },
    remove(name) {
      at('ack-before-remove');
      return store.remove(name);
    },
  };
}

async function settle(journal: Journal): Promise<void> {
  await journal.drain();
  while (journal.records().length > 0) await passes(50);
  process.send?.('settled' satisfies DeviceWord);
}
