import type { ChildProcess } from 'node:child_process';
import type { Program } from '../support/node-process.ts';
import type { CustomersOrder, CustomersWord, SettledIntent } from './customers-process.ts';

/** Customers in several processes. */
export interface Crowd extends Disposable {
  readonly intents: number;
  /** How many have been sent once more. */
  readonly settled: number;
  /** By status; 0 for requests without an answer. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Lets them shop. */
  open(): void;
  /** Tells everybody where the servers are. */
  lead(ports: readonly (number | undefined)[]): void;
  /** Resolves when everybody has gone. */
  stop(): Promise<void>;
  /** Sends everything once more; call it when all is well. */
  settle(): Promise<SettledIntent[]>;
}

export interface CrowdOptions {
  readonly program: Program;
  readonly processes: number;
  readonly customers: number;
  readonly servers: number;
  readonly redis: boolean;
  readonly random: () => number;
  readonly onFaults: (fault: string, times: number) => void;
}

export function openCrowd(options: CrowdOptions): Crowd {
  const { program, processes, servers, redis, random, onFaults } = options;
  const customers = Math.ceil(options.customers / processes);
  const told = new Map<ChildProcess, Extract<CustomersWord, { kind: 'progress' }>>();
  const opening = new Map<ChildProcess, CustomersOrder>();
  let places: readonly (number | null)[] = [];
  const members = Array.from({ length: processes }, () => {
    const seed = Math.floor(random() * 2 ** 31);
    const child = program.start({ kind: 'wait' } satisfies CustomersOrder);
    opening.set(child, { kind: 'shop', seed, customers, servers, redis });
    child.on('message', (word: CustomersWord) => {
      if (word.kind !== 'progress') return;
      told.set(child, word);
      for (const [fault, times] of Object.entries(word.faults)) onFaults(fault, times);
    });
    return child;
  });
  let closed = false;
  const tell = (order: CustomersOrder) => {
    if (!closed) for (const member of members) member.send(order);
  };
  const sum = (of: 'intents' | 'settled') =>
    [...told.values()].reduce((total, word) => total + word[of], 0);
  return {
    get intents() {
      return sum('intents');
    },
    get settled() {
      return sum('settled');
    },
    get statuses() {
      const statuses: Record<number, number> = {};
      for (const word of told.values()) {
        for (const [status, times] of Object.entries(word.statuses)) {
          statuses[Number(status)] = (statuses[Number(status)] ?? 0) + times;
        }
      }
      return statuses;
    },
    open() {
      for (const [member, order] of opening) member.send(order);
      tell({ kind: 'ports', ports: places });
    },
    lead(ports) {
      places = ports.map((port) => port ?? null);
      tell({ kind: 'ports', ports: places });
    },
    async stop() {
      const stopped = members.map((member) => heard(member, 'stopped'));
      tell({ kind: 'stop' });
      await Promise.all(stopped);
    },
    async settle() {
      const settled = members.map((member) => heard(member, 'settled'));
      tell({ kind: 'settle' });
      return (await Promise.all(settled)).flatMap(({ intents }) => intents);
    },
    [Symbol.dispose]() {
      closed = true;
      for (const member of members) member.kill('SIGKILL');
    },
  };
}

function heard<Kind extends CustomersWord['kind']>(
  member: ChildProcess,
  kind: Kind,
): Promise<Extract<CustomersWord, { kind: Kind }>> {
  return new Promise((resolve) => {
    member.on('message', (word: CustomersWord) => {
      if (word.kind === kind) resolve(word as Extract<CustomersWord, { kind: Kind }>);
    });
  });
}
