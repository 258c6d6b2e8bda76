import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { killNow, type Program } from '../support/node-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { SettledIntent } from './customers-process.ts';
import { intentsOf, pointsIn } from './device-intents.ts';
import { readLedger } from './device-ledger.ts';
import { type DevicePoint, devicePoints } from './device-points.ts';
import type { DeviceOrder, DeviceWord } from './device-process.ts';
import type { Counts } from './server-tools.ts';

export interface DevicesOptions {
  readonly program: Program;
  /** Of their entrances. */
  readonly ports: readonly number[];
  readonly random: () => number;
  readonly over: () => boolean;
  readonly count: (fault: string) => void;
}

/** Devices with journals that outlive them. */
export interface Devices extends Disposable {
  /** Lets them die, and come back, until it is over. */
  live(): Promise<void>;
  /** Lets each deliver what it still has; call it when all is well. */
  settle(): Promise<void>;
  /** What they wanted, and what became of it. */
  intents(): SettledIntent[];
  /** How often they came to each point. */
  counts(): Counts;
}

export function openDevices({ program, ports, random, over, count }: DevicesOptions): Devices {
  const home = temporaryFolder('devices');
  const devices = owners.map((tenant) => ({ tenant, folder: join(home.folder, tenant) }));
  for (const { folder } of devices) mkdirSync(folder);
  const running = new Set<ChildProcess>();
  const start = (given: DeviceOrder): ChildProcess => {
    const child = program.start(given);
    running.add(child);
    child.once('exit', () => running.delete(child));
    return child;
  };
  const order = (device: Device): DeviceOrder => ({
    ...device,
    ...{ ports, seed: Math.floor(random() * 2 ** 31), settles: false },
  });

  const live = async (device: Device) => {
    let turn = Math.floor(random() * devicePoints.length);
    while (!over()) {
      const point = random() < 0.85 ? devicePoints[turn++ % devicePoints.length] : undefined;
      const dieAt = point && deathAt(point, random);
      const child = start({ ...order(device), dieAt });
      const diedByItself = await died(child, 4_000 + random() * 4_000);
      if (!diedByItself) await killNow(child);
      else if (child.signalCode !== 'SIGKILL') throw new Error('A device failed by itself');
      count(`device: killed ${(diedByItself && point) || 'at any moment'}`);
    }
  };
  const settle = async (device: Device) => {
    const child = start({ ...order(device), settles: true });
    const settled = saidSo(child).then(() => false);
    if (await Promise.race([settled, died(child, patienceMs)])) {
      throw new Error('A device failed by itself');
    }
    await killNow(child);
  };
  return {
    live: async () => void (await Promise.all(devices.map(live))),
    settle: async () => void (await Promise.all(devices.map(settle))),
    intents: () => devices.flatMap(({ folder, tenant }) => intentsOf(readLedger(folder), tenant)),
    counts: () => pointsIn(devices.flatMap(({ folder }) => readLedger(folder))),
    [Symbol.dispose]() {
      for (const child of running) child.kill('SIGKILL');
      home[Symbol.dispose]();
    },
  };
}

/** Each with a device of their own. */
const owners = ['eve', 'fay'] as const;

type Device = Pick<DeviceOrder, 'tenant' | 'folder'>;

/** What a device still has takes as long as a lease, a wait or two, and a machine that is busy. */
const patienceMs = 60_000;

function deathAt(point: DevicePoint, random: () => number): DeviceOrder['dieAt'] {
  // Each intent is written down several times.
  const most = point === 'journal-torn-write' ? 50 : 12;
  return { point, time: 1 + Math.floor(random() * most) };
}

/** Whether it did, by itself, within that time. */
async function died(child: ChildProcess, withinMs: number): Promise<boolean> {
  const timeUp = AbortSignal.timeout(Math.ceil(withinMs));
  return once(child, 'exit', { signal: timeUp }).then(
    () => true,
    () => false,
  );
}

async function saidSo(child: ChildProcess): Promise<void> {
  const [word] = (await once(child, 'message')) as [DeviceWord];
  if (word !== 'settled') throw new Error('A device said something else');
}
