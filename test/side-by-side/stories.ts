import { setTimeout as sleep } from 'node:timers/promises';
import type { Bank } from './bank.ts';
import type { Device } from './device.ts';

/** Something that happens to people who pay. What they wanted to pay is in `notes`. */
export interface Story {
  readonly name: string;
  readonly notes: readonly string[];
  /** Plays it up to where all is well again, and the application was started once more. */
  play(device: Device, bank: Bank): Promise<void>;
}

export const stories: readonly Story[] = [
  {
    name: 'the browser is killed while a mutation is on its way',
    notes: ['tea'],
    async play(device, bank) {
      await device.start();
      bank.fate = 'no answer';
      await device.pay('tea');
      await until(() => bank.asked() > 0);
      await restart(device, bank);
    },
  },
  {
    name: 'submitted offline, the browser is killed, back online',
    notes: ['tea'],
    async play(device, bank) {
      await device.start();
      await device.goOffline();
      await device.pay('tea');
      await sleep(timeToWriteMs);
      await restart(device, bank);
    },
  },
  {
    name: 'submitted offline, the browser is killed while it is sent again',
    notes: ['tea'],
    async play(device, bank) {
      await device.start();
      await device.goOffline();
      await device.pay('tea');
      await sleep(timeToWriteMs);
      await device.goOnline('no answer');
      await until(() => bank.asked() > 0);
      await sleep(timeToWriteMs);
      await restart(device, bank);
    },
  },
  {
    name: 'submitted offline, the server answers 503 when it is sent again',
    notes: ['tea'],
    async play(device, bank) {
      await device.start();
      await device.goOffline();
      await device.pay('tea');
      await sleep(timeToWriteMs);
      await device.goOnline('unavailable');
      await until(() => bank.asked() > 0);
      await sleep(timeToWriteMs);
      await restart(device, bank);
    },
  },
  {
    name: 'the server has executed it, and its answer is lost',
    notes: ['tea'],
    async play(device, bank) {
      await device.start();
      bank.fate = 'answer lost';
      await device.pay('tea');
      await until(() => bank.asked() > 0);
      bank.fate = 'paid';
      await sleep(timeToWriteMs);
      await restart(device, bank);
    },
  },
  {
    name: 'two tabs submit offline, the browser is killed, back online',
    notes: ['tea', 'cake'],
    async play(device, bank) {
      await device.start(2);
      await device.goOffline();
      await device.pay('tea', 0);
      await device.pay('cake', 1);
      await sleep(timeToWriteMs);
      await restart(device, bank, 2);
    },
  },
];

/** More than any of them takes to write what it keeps: TanStack Query does so once a second. */
const timeToWriteMs = 2_000;

async function restart(device: Device, bank: Bank, tabs = 1): Promise<void> {
  await device.kill();
  bank.fate = 'paid';
  await device.start(tabs);
}

/** Waits until something is so, for as long as a person would. */
export async function until(condition: () => boolean): Promise<boolean> {
  for (let passedMs = 0; passedMs < 5_000; passedMs += 50) {
    if (condition()) return true;
    await sleep(50);
  }
  return condition();
}
