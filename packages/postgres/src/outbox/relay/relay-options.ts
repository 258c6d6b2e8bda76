import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '@onceward/core';
import type { Database } from '../../database/database.ts';
import { positiveInteger, retentionMs, timerMs } from '../check-option.ts';
import type { PostgresOutbox } from '../postgres-outbox.ts';
import type { Task, Tasks } from '../task.ts';
import type { BackoffOptions } from './backoff.ts';
import { describeError } from './describe-error.ts';
import type {
  HandlerOptions,
  Job,
  JobHandler,
  JobHandlers,
  TransactionalJob,
} from './job-handler.ts';
import type { RetryPolicy } from './judge-failure.ts';
import type { Listener } from './listener.ts';
import type { RelayEvent } from './relay-event.ts';

/** A named place where a test may crash, stall or interleave a job. */
export type RelayProbePoint = 'after-take' | 'after-handler' | 'before-done' | 'after-done';

/** Options of `createRelay`. */
export interface RelayOptions<Named extends Tasks, Transaction> {
  outbox: PostgresOutbox<Named, Transaction>;
  handlers: JobHandlers<Named, Transaction>;
  /**
   * How many jobs run at a time. One with a transaction holds a connection of the pool, and two more
   * are needed to listen and to renew leases.
   *
   * @defaultValue `5`
   */
  concurrency?: number;
  /**
   * How often a job is tried before it is dead. With the default pauses, twenty attempts take about
   * four hours.
   *
   * @defaultValue `20`
   */
  maxAttempts?: number;
  /** Pauses between attempts. @defaultValue at most a second at first, at most an hour at last */
  backoff?: Partial<BackoffOptions>;
  /**
   * How long a job may run. Beyond it the job's signal is aborted and the attempt has failed.
   *
   * A handler that goes on all the same may overlap with the next attempt, under the same key.
   *
   * @defaultValue `300_000` (five minutes)
   */
  timeLimitMs?: number;
  /**
   * How soon another relay takes the jobs of one that died. Renewed while a handler runs: a relay that
   * cannot renew for that long has lost its jobs.
   *
   * @defaultValue `30_000`
   */
  leaseMs?: number;
  /**
   * How often it looks for jobs that nobody told it of: those whose pause is over, and all of them
   * where it cannot listen.
   *
   * @defaultValue `500`
   */
  pollMs?: number;
  /**
   * Whether to keep a connection that listens for new jobs. Behind a pooler that deals out connections
   * by transaction nothing would be heard.
   *
   * @defaultValue `true`, where the driver can
   */
  listen?: boolean;
  /**
   * How long jobs are kept after they are done or discarded. For as long, an attempt that repeats an
   * intent finds its jobs and writes none twice: not less than your keys are kept.
   *
   * @defaultValue `691_200_000` (eight days, one more than keys)
   */
  retentionMs?: number;
  /** What operators see of an error. @defaultValue its name and its code, for messages may be private */
  describeError?: (error: unknown) => string;
  /** Called for everything that happens. What it throws is ignored. */
  onEvent?: (event: RelayEvent) => void;
  /** For tests. @defaultValue the clock of this process */
  clock?: Clock;
  /** For tests. @defaultValue `Math.random` */
  random?: () => number;
  /** For tests. */
  probe?: (point: RelayProbePoint) => void | Promise<void>;
}

export interface ResolvedRelay {
  readonly database: Database<unknown>;
  readonly schema: string;
  readonly listener: Listener | undefined;
  readonly handlers: ReadonlyMap<string, ResolvedHandler>;
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly pollMs: number;
  readonly retentionMs: number;
  readonly describeError: (error: unknown) => string;
  readonly onEvent: ((event: RelayEvent) => void) | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newToken: () => string;
  readonly probe: (point: RelayProbePoint) => void | Promise<void>;
}

export interface ResolvedHandler extends RetryPolicy {
  readonly task: Task<never, unknown>;
  readonly form: HandlerForm;
  readonly timeLimitMs: number;
}

type HandlerForm =
  | { readonly kind: 'outside'; readonly run: (job: Job<unknown>) => unknown }
  | {
      readonly kind: 'transactional';
      readonly run: (job: TransactionalJob<unknown, unknown>) => unknown;
    };

export function resolveRelayOptions<Named extends Tasks, Transaction>(
  options: RelayOptions<Named, Transaction>,
): ResolvedRelay {
  const { outbox, listen = true } = options;
  const handlers = resolveHandlers(options);
  const concurrency = positiveInteger('concurrency', options.concurrency ?? 5);
  refuseFullPool(outbox.maxConnections, concurrency, handlers);
  return {
    database: outbox.database,
    schema: outbox.schema,
    listener: listen ? outbox.listener : undefined,
    handlers,
    concurrency,
    leaseMs: timerMs('leaseMs', options.leaseMs ?? 30_000),
    pollMs: timerMs('pollMs', options.pollMs ?? 500),
    retentionMs: retentionMs('retentionMs', options.retentionMs ?? 8 * 86_400_000),
    describeError: options.describeError ?? describeError,
    onEvent: options.onEvent,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    newToken: randomUUID,
    probe: options.probe ?? (() => undefined),
  };
}

/** With every connection in a transaction, none is left to renew leases, and all jobs are lost. */
function refuseFullPool(
  maxConnections: number | undefined,
  concurrency: number,
  handlers: ReadonlyMap<string, ResolvedHandler>,
): void {
  const transactional = [...handlers.values()].some(({ form }) => form.kind === 'transactional');
  if (!transactional || maxConnections === undefined || concurrency + 2 <= maxConnections) return;
  throw new TypeError(
    `Expected \`concurrency\` to leave 2 connections of the pool free: got ${concurrency} jobs ` +
      `with transactions for ${maxConnections} connections`,
  );
}

function resolveHandlers<Named extends Tasks, Transaction>(
  options: RelayOptions<Named, Transaction>,
): ReadonlyMap<string, ResolvedHandler> {
  const { tasks } = options.outbox;
  const handlers = Object.entries(options.handlers as Record<string, AnyHandler | undefined>);
  const resolved = handlers.flatMap(([name, handler]) => {
    if (handler === undefined) return [];
    const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
    if (!task)
      throw new TypeError(`Expected \`handlers\` to be for tasks of the outbox: '${name}' is none`);
    return [[name, resolveHandler(task, handler, options)] as const];
  });
  if (resolved.length > 0) return new Map(resolved);
  throw new TypeError('Expected `handlers` to hold at least one');
}

type AnyHandler = JobHandler<unknown, unknown>;

type Defaults = Pick<
  RelayOptions<Tasks, unknown>,
  'maxAttempts' | 'timeLimitMs' | 'backoff' | 'random'
>;

function resolveHandler(
  task: Task<never, unknown>,
  handler: AnyHandler,
  defaults: Defaults,
): ResolvedHandler {
  const own: HandlerOptions = typeof handler === 'function' ? {} : handler;
  const { firstMs = 1_000, maxMs = 3_600_000 } = defaults.backoff ?? {};
  return {
    task,
    form: formOf(handler),
    maxAttempts: positiveInteger('maxAttempts', own.maxAttempts ?? defaults.maxAttempts ?? 20),
    timeLimitMs: timerMs('timeLimitMs', own.timeLimitMs ?? defaults.timeLimitMs ?? 300_000),
    backoff: {
      firstMs: timerMs('backoff.firstMs', firstMs),
      maxMs: timerMs('backoff.maxMs', maxMs),
    },
    retry: own.retry ?? (() => true),
    random: defaults.random ?? Math.random,
  };
}

function formOf(handler: AnyHandler): HandlerForm {
  if (typeof handler === 'function') return { kind: 'outside', run: handler };
  if (typeof handler.transaction === 'function' && handler.run === undefined) {
    return { kind: 'transactional', run: handler.transaction };
  }
  if (typeof handler.run === 'function' && handler.transaction === undefined) {
    return { kind: 'outside', run: handler.run };
  }
  throw new TypeError(
    'Expected each of `handlers` to be a function, or to have one as either `run` or `transaction`',
  );
}
