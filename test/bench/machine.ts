import { arch, cpus, platform, release, totalmem } from 'node:os';

/** What the figures were measured on, without a name or an address. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGib: number;
  readonly system: string;
  readonly node: string;
  readonly measuredAt: string;
}

export function describeMachine(now: Date): Machine {
  const [first] = cpus();
  return {
    processor: first?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release().split('-')[0]} ${arch()}`,
    node: process.version,
    measuredAt: now.toISOString(),
  };
}

export function sayMachine({ processor, cores, memoryGib, system, node }: Machine): string {
  return `${cores} cores (${processor}), ${memoryGib} GiB, ${system}, Node.js ${node.slice(1)}`;
}
