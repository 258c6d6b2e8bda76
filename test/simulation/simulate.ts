import { createMaintenance, memoryStore } from '@onceward/server';
import { Bank } from './bank.ts';
import { Checker } from './checker.ts';
import { type Dice, diceOf } from './dice.ts';
import { type Faults, faultsOf } from './faults.ts';
import { History } from './history.ts';
import { LeaseBook } from './lease-book.ts';
import { SimulatedClient } from './simulated-client.ts';
import { SimulatedDevice } from './simulated-device.ts';
import { SimulatedNetwork } from './simulated-network.ts';
import { SimulatedProcess } from './simulated-process.ts';
import { operations, SimulatedServer } from './simulated-server.ts';
import { spareAmbientIntents } from './spare-ambient-intents.ts';
import { storeLine, watchedStore } from './store-line.ts';
import { times } from './times.ts';
import { Timeline } from './timeline.ts';

export interface SimulationOptions {
  readonly seed: number;
  /** How many mutations somebody wants. */
  readonly mutations: number;
  /** @defaultValue those of `times` */
  readonly clocksAheadMs?: readonly number[] | undefined;
}

/** What came of one seed. Plain data, because it goes from process to process. */
export interface SimulationReport {
  readonly seed: number;
  readonly mutations: number;
  readonly effects: number;
  /** Answers of servers, whether or not anybody heard them. */
  readonly answers: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly seen: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
  readonly digest: string;
  readonly history: readonly string[];
}

/** Lives through one seed: faults, then none, and in the end everything must be settled. */
export async function simulate(options: SimulationOptions): Promise<SimulationReport> {
  spareAmbientIntents();
  const { seed, mutations } = options;
  const world = new World(options);
  await world.live(mutations);
  await world.heal();
  await world.check();
  const { history, bank, checker } = world;
  return {
    seed,
    mutations,
    effects: bank.effects.length,
    answers: checker.answered,
    faults: Object.fromEntries(history.faults),
    seen: Object.fromEntries(history.seen),
    violations: history.violations,
    digest: history.digest(),
    history: history.lines,
  };
}

const tenants = ['ann', 'bob', 'cat'] as const;
const startMs = Date.UTC(2026, 0, 1);

class World {
  readonly timeline = new Timeline(startMs);
  readonly dice: Dice;
  readonly history = new History(() => this.timeline.now());
  readonly faults: Faults;
  readonly bank = new Bank(this.history);
  readonly checker = new Checker(this.bank, this.history);
  readonly store;
  readonly servers: readonly SimulatedServer[];
  readonly devices: readonly SimulatedDevice[];
  readonly clients: readonly SimulatedClient[];
  readonly #maintenance;
  #storeSkewMs = 0;
  #wishes = 0;

  constructor({ seed, clocksAheadMs = times.clocksAheadMs }: SimulationOptions) {
    const { timeline, history, bank, checker } = this;
    const dice = (this.dice = diceOf(seed));
    const faults = (this.faults = faultsOf(dice, history));
    const now = () => timeline.now() + this.#storeSkewMs;
    const leases = new LeaseBook(history, now);
    const store = (this.store = watchedStore(memoryStore({ now }), { history, leases, faults }));
    const shared = { timeline, dice, faults, history, bank, checker, store };
    const servers = (this.servers = [1, 2, 3].map(() => new SimulatedServer(shared)));
    const network = new SimulatedNetwork({ ...shared, servers });
    const tools = { ...shared, network, clocksAheadMs };
    this.devices = [
      new SimulatedDevice(['ann', 'bob'], tools),
      new SimulatedDevice(['bob', 'cat'], tools),
      new SimulatedDevice(['cat', 'ann'], tools),
    ];
    const keysSeen: never[] = [];
    this.clients = tenants.map(
      (tenant) => new SimulatedClient(tenant, { ...shared, network, keysSeen }),
    );
    const janitor = new SimulatedProcess(timeline, () => 0);
    this.#maintenance = createMaintenance({
      store: storeLine(store, janitor, shared),
      clock: janitor.clock,
      sweepEveryMs: 5_000,
      pruneEveryMs: 12_000,
      hooks: {
        onEvent(event) {
          if (event.kind === 'leases-swept' && event.unknown) history.count('T6 swept to unknown');
          if (event.kind === 'leases-swept' && event.released) history.count('swept to released');
          if (event.kind !== 'records-pruned') return;
          if (event.answersDropped) history.count('T17 answers dropped');
          if (event.pruned) history.count('T18 records pruned');
        },
      },
    });
    this.#maintenance.start();
  }

  /** People want things, and everything goes wrong meanwhile. */
  async live(mutations: number): Promise<void> {
    const { timeline, dice } = this;
    const everySecond = () => {
      if (this.faults.healed) return;
      this.#disturb();
      timeline.after(1_000, everySecond);
    };
    timeline.after(500, everySecond);
    for (let begun = 0, atMs = 0; begun < mutations; begun++) {
      atMs += dice.between(0, 160);
      const by = dice.chance(0.6) ? dice.pick(this.devices) : dice.pick(this.clients);
      const operation = dice.pick(operations);
      timeline.after(atMs, () => void by.wish(operation, (tenant) => this.#newWish(tenant)));
      if (begun === mutations - 1) await timeline.runUntil(timeline.now() + atMs);
    }
  }

  /** Nothing goes wrong any more: everything comes to its end, also what comes very late. */
  async heal(): Promise<void> {
    const { timeline, faults, devices, checker } = this;
    this.history.note('healed');
    faults.heal();
    this.#storeSkewMs = 0;
    for (let round = 0; round < 40; round++) {
      for (const device of devices) {
        device.signIn(device.users[round % device.users.length] ?? '');
        // What a tab wrote before it died, and told nobody, is found by the next that opens.
        if (round < 2) device.openPage();
      }
      await timeline.runUntil(timeline.now() + 20_000);
      const pending = await Promise.all(devices.map((device) => device.pending()));
      if (checker.waiting() === 0 && pending.every((rows) => rows === 0)) break;
    }
    const { keyRetentionMs, maxClockSkewMs } = times.engine;
    await timeline.runUntil(timeline.now() + keyRetentionMs + 3 * maxClockSkewMs);
  }

  async check(): Promise<void> {
    const { checker, history, store, devices } = this;
    checker.checkEnd();
    const { records, staleLeases } = await store.stats();
    if (records['in-progress'] > 0)
      history.broken(`${records['in-progress']} keys are in progress`);
    if (records.unknown > 0) history.broken(`${records.unknown} keys are unknown`);
    if (staleLeases > 0) history.broken(`${staleLeases} leases are stale`);
    const kept = records.completed + records.released;
    if (kept > 0) history.broken(`${kept} records are kept for longer than their keys can be used`);
    for (const device of devices) {
      // The learned time of the server is nobody's.
      if ((await device.pending()) > 0) history.broken('a journal is not empty');
    }
  }

  #newWish(tenant: string) {
    const number = ++this.#wishes;
    return { id: `${tenant}-${number}`, cents: this.dice.between(1, 1_000) };
  }

  #disturb(): void {
    const { faults, dice, servers, devices } = this;
    for (const server of servers) {
      if (faults.strike('server clock jumps')) server.setClock(dice.between(-15_000, 15_000));
    }
    if (faults.strike('store clock jumps')) this.#storeSkewMs = dice.between(-3_000, 3_000);
    for (const device of devices) device.disturb();
  }
}
