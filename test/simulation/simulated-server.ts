import { IdempotencyError } from '@onceward/core';
import {
  createEngine,
  createReconciler,
  type EngineEvent,
  type MemoryStore,
  type ProbePoint,
  type Reconciler,
} from '@onceward/server';
import type { Bank, Receipt, Wish } from './bank.ts';
import type { Dice } from './dice.ts';
import type { Faults } from './faults.ts';
import type { History } from './history.ts';
import { RunningHandlers } from './running-handlers.ts';
import { SimulatedProcess } from './simulated-process.ts';
import { storeLine } from './store-line.ts';
import { times } from './times.ts';
import type { Timeline } from './timeline.ts';
import { type Transaction, transactionsOf } from './transactional-memory-store.ts';

export interface ServerTools {
  readonly timeline: Timeline;
  readonly dice: Dice;
  readonly faults: Faults;
  readonly history: History;
  readonly bank: Bank;
  /** The store that all servers share. */
  readonly store: MemoryStore;
}

/** One per effect, and named after it. */
export const operations = ['atomic', 'steps', 'external', 'natural'] as const;
export type Operation = (typeof operations)[number];

/** What a client sends. */
export interface WireRequest {
  readonly operation: Operation;
  readonly key: string;
  readonly input: Wish;
}

export type WireAnswer =
  | { readonly kind: 'result'; readonly value: Receipt; readonly replayed: boolean }
  | { readonly kind: 'declined'; readonly message: string; readonly replayed: boolean }
  | { readonly kind: 'refused'; readonly error: unknown }
  | { readonly kind: 'failed' };

/** A refusal of the business, which is an answer like any other. */
class Declined extends Error {
  override readonly name = 'Declined';
}

/** Declines, and takes no effect. */
export function isDeclined({ cents }: Wish): boolean {
  return cents % 13 === 0;
}

/**
 * A server: the shipped engine over a line to the store that all servers share. It dies at any of
 * the engine's own points, and in the middle of a handler, and another takes its place.
 */
export class SimulatedServer {
  readonly #tools: ServerTools;
  #process: SimulatedProcess;
  #instance: Instance;
  #skewMs: number;

  constructor(tools: ServerTools) {
    this.#tools = tools;
    this.#skewMs = tools.dice.between(-5_000, 5_000);
    this.#process = this.#newProcess();
    this.#instance = this.#boot();
  }

  setClock(skewMs: number): void {
    this.#skewMs = skewMs;
  }

  /** Answers over a connection that breaks if the server dies. */
  answer(tenant: string, text: string): Promise<string> {
    const process = this.#process;
    return new Promise((resolve, reject) => {
      const stopWatching = process.onDeath(() => reject(new TypeError('connection reset')));
      void this.#instance.handle(tenant, text).then((answer) => {
        stopWatching();
        resolve(answer);
      });
    });
  }

  #newProcess(): SimulatedProcess {
    return new SimulatedProcess(this.#tools.timeline, () => this.#skewMs);
  }

  #crash(process: SimulatedProcess): void {
    if (process !== this.#process) return;
    this.#tools.history.note('a server dies');
    process.kill();
    this.#process = this.#newProcess();
    this.#instance = this.#boot();
  }

  #boot(): Instance {
    const process = this.#process;
    return new Instance(process, () => this.#crash(process), this.#tools);
  }
}

/** What a server process has in memory. */
class Instance {
  readonly #process: SimulatedProcess;
  readonly #crash: () => void;
  readonly #tools: ServerTools;
  readonly #mutations;
  readonly #reconciler: Reconciler;
  readonly #handlers: RunningHandlers;

  constructor(process: SimulatedProcess, crash: () => void, tools: ServerTools) {
    this.#process = process;
    this.#crash = crash;
    this.#tools = tools;
    const { clock } = process;
    const handlers = (this.#handlers = new RunningHandlers(process, tools.history));
    const { dice, faults } = tools;
    const heard = handlers.heard.bind(handlers);
    const line = storeLine(tools.store, process, { dice, faults, heard });
    const hooks = { onEvent: (event: EngineEvent) => this.#heard(event) };
    const engine = createEngine<Transaction>({
      store: withTransactions(line, tools),
      ...times.engine,
      acceptLoss: true,
      probe: (point) => this.#probe(point),
      ...{ clock, hooks },
    });
    const classifyError = (error: unknown) =>
      error instanceof Declined ? ('store' as const) : undefined;
    this.#mutations = {
      atomic: engine.mutation({ operation: 'atomic', effect: 'atomic', classifyError }),
      steps: engine.mutation({ operation: 'steps', effect: 'steps', classifyError }),
      natural: engine.mutation({ operation: 'natural', effect: 'natural', classifyError }),
      external: engine.mutation({
        ...{ operation: 'external', effect: 'external', classifyError },
        resolve: async ({ scope, key }) => {
          await process.sleep(tools.dice.between(1, 400));
          const value = tools.bank.find(scope, key);
          await process.sleep(tools.dice.between(1, 400));
          if (value) return { kind: 'executed', value };
          return { kind: 'not-executed', quietMs: times.quietMs };
        },
      }),
    };
    this.#reconciler = createReconciler({
      ...{ store: line, mutations: [this.#mutations.external], clock, hooks },
      ...times.reconciler,
      random: tools.dice.random,
    });
    this.#reconciler.start();
  }

  /** Never settles if the process dies meanwhile. */
  async handle(tenant: string, text: string): Promise<string> {
    const request = JSON.parse(text) as WireRequest;
    await this.#process.moment();
    const answer = await this.#run(tenant, request);
    await this.#process.moment();
    this.#tools.history.count(answered(answer));
    return JSON.stringify(answer);
  }

  async #run(tenant: string, { operation, key, input }: WireRequest): Promise<WireAnswer> {
    const intent = { scope: tenant, key, input };
    try {
      const { result, replayed } = await this.#execute(operation, intent);
      if (result.kind === 'success') return { kind: 'result', value: result.value, replayed };
      const { message } = result.error as Error;
      return { kind: 'declined', message, replayed };
    } catch (error) {
      return IdempotencyError.is(error)
        ? { kind: 'refused', error: error.toJSON() }
        : { kind: 'failed' };
    }
  }

  #execute(operation: Operation, intent: { scope: string; key: string; input: Wish }) {
    const { bank } = this.#tools;
    const { scope, input } = intent;
    switch (operation) {
      case 'atomic':
        return this.#mutations.atomic.resultOnce(intent, async ({ tx }) => {
          await this.#think(input);
          const receipt = bank.prepare(scope, input);
          tx.write(() => bank.book(scope, input, receipt));
          await this.#work(1, 5);
          return receipt;
        });
      case 'steps':
        return this.#mutations.steps.resultOnce(intent, (context) =>
          this.#handlers.run(scope, context, async () => {
            const { step } = context;
            await this.#think(input);
            const receipt = await step('pay', ({ downstreamKey }) =>
              this.#callOut(() => bank.payOnce(scope, input, downstreamKey)),
            );
            const noted = { id: `${input.id} noted`, cents: 0 };
            await step.transaction('note', ({ tx }) => {
              const note = bank.prepare(scope, noted);
              tx.write(() => bank.book(scope, noted, note));
            });
            return receipt;
          }),
        );
      case 'external':
        return this.#mutations.external.resultOnce(intent, (context) =>
          this.#handlers.run(scope, context, async () => {
            await this.#think(input);
            return this.#callOut(() => bank.pay(scope, input, context.key));
          }),
        );
      case 'natural':
        return this.#mutations.natural.resultOnce(intent, (context) =>
          this.#handlers.run(scope, context, async () => {
            await this.#think(input);
            return { ...bank.prepare(scope, input), number: 0 };
          }),
        );
    }
  }

  async #think(input: Wish): Promise<void> {
    // Some take so long that their lease has to be renewed.
    const slow = this.#tools.dice.chance(0.05);
    await this.#work(1, slow ? times.engine.leaseMs * 2 : 30);
    if (isDeclined(input)) throw new Declined(`declined ${input.id}`);
  }

  /** A call to a service that may fail before it has done anything, and after. */
  async #callOut<T>(call: () => T): Promise<T> {
    const { faults } = this.#tools;
    await this.#work(1, 40);
    if (faults.strike('provider fails before')) throw new Error('the provider is down');
    const value = call();
    await this.#work(1, 40);
    if (faults.strike('provider fails after'))
      throw new Error('the answer of the provider is lost');
    return value;
  }

  async #work(leastMs: number, mostMs: number): Promise<void> {
    await this.#process.sleep(this.#tools.dice.between(leastMs, mostMs));
    await this.#mishap();
  }

  #probe(point: ProbePoint): Promise<void> | undefined {
    this.#tools.history.count(`point: ${point}`);
    const stopped = this.#process.moment();
    return stopped ? stopped.then(() => this.#mishap()) : this.#mishap();
  }

  /** The process dies here, or stops for longer than its leases last. Mostly it goes on at once. */
  #mishap(): Promise<void> | undefined {
    const { faults, dice } = this.#tools;
    if (faults.strike('server crashes')) this.#crash();
    else if (this.#process.mayStall && faults.strike('server stalls')) {
      this.#process.stopFor(dice.between(times.engine.leaseMs / 2, times.longestStallMs));
    }
    return this.#process.moment();
  }

  #heard(event: EngineEvent): void {
    const { history } = this.#tools;
    if (event.kind === 'attempt-started' && event.attempt > 1) history.count('attempt 2 and later');
    if (event.kind === 'attempt-fenced') history.count('attempt fenced');
    if (event.kind === 'lookup-failed' && event.dead) history.count('T16 given up');
  }
}

function withTransactions(line: MemoryStore, { store, faults }: ServerTools) {
  const { transact, transactStep } = transactionsOf(store);
  // The database loses the question, or the answer to a COMMIT that it has heeded.
  const lossy =
    <Args extends unknown[], T>(call: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      if (faults.strike('store fails before')) throw new Error('the store is down');
      const lost = faults.strike('store fails after');
      const answer = await call(...args);
      if (lost) throw new Error('the answer of the store is lost');
      return answer;
    };
  const members: Record<PropertyKey, unknown> = {
    transact: lossy(transact),
    transactStep: lossy(transactStep),
    capabilities: { transactions: true, durable: false, failoverSafe: false },
  };
  return new Proxy(line, {
    has: (target, property) => property in members || property in target,
    get: (target, property) => members[property] ?? (Reflect.get(target, property) as unknown),
  }) as MemoryStore & ReturnType<typeof transactionsOf>;
}

function answered(answer: WireAnswer): string {
  if (answer.kind === 'refused') return `answer: ${(answer.error as { code: string }).code}`;
  if (answer.kind === 'failed') return 'answer: 500';
  return `answer: ${answer.kind}${answer.replayed ? ', replayed' : ''}`;
}
