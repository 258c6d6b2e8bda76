import { setTimeout as sleep } from 'node:timers/promises';
import { type Bank, openBank } from './bank.ts';
import { Device } from './device.ts';
import { type Queue, scriptsOf } from './queues.ts';
import { type Story, until } from './stories.ts';

/** How often what a person wanted has happened. */
export type Verdict = 'once' | 'lost' | 'twice';

/** Plays a story in a real browser, and looks at what the server has executed. */
export async function play(story: Story, queue: Queue): Promise<Verdict> {
  await using bank = await openBank(await scriptsOf(queue));
  await using device = new Device(bank, queue);
  await story.play(device, bank);
  const all = () => story.notes.every((note) => timesPaid(bank, note) > 0);
  if (!(await until(all))) {
    // A last chance, for what it may have kept.
    await device.kill();
    await device.start();
    await until(all);
  }
  // Time for what comes twice.
  await sleep(4_000);
  const times = story.notes.map((note) => timesPaid(bank, note));
  if (times.includes(0)) return 'lost';
  return times.every((count) => count === 1) ? 'once' : 'twice';
}

function timesPaid({ payments }: Bank, note: string): number {
  return payments.filter((paid) => paid === note).length;
}
