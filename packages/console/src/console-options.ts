import type { Store } from '@onceward/core/store';
import { type PostgresDriver, postgresOperator, postgresStore } from '@onceward/postgres';
import { postgresJobs } from '@onceward/postgres/outbox';
import type { AuditedAction } from './audited.ts';
import type { Source } from './source.ts';
import { type CsrfTokens, csrfTokens } from './guards/csrf-token.ts';
import type { Authorize } from './guards/operator.ts';

/** What a console shows, to whom, and where it is mounted. */
export interface ConsoleOptions {
  /** The pool of `@onceward/postgres`, or whatever else you handed to `postgresStore`. */
  postgres?: PostgresDriver;
  /** With `postgres`: where its tables are. @defaultValue `'onceward'` */
  schema?: string;
  /**
   * With `postgres`: off behind a pooler that does not know prepared statements.
   *
   * @defaultValue `true`
   */
  preparedStatements?: boolean;
  /**
   * Instead of `postgres`: any other store. Then keys are found by scope and key and unknown ones
   * settled; a store has no lists, no history and no jobs, and the page says so.
   */
  store?: Store;
  /** Says who the operator is. There is no default: without it, nobody gets in. */
  authorize: Authorize;
  /** Where the console is mounted. @defaultValue `'/console'` */
  basePath?: string;
  /**
   * Whether operators with the permission `payloads` can see stored answers and payloads of jobs.
   *
   * @defaultValue `false`
   */
  showPayloads?: boolean;
  /**
   * Hears of every decision and every look at a payload: before it, as `asked`, and after it. If it
   * fails before, nothing is done.
   *
   * @defaultValue with `postgres`, the table `audit` alone, which has them in any case; with another
   * store there is no default, because nothing else would remember.
   */
  audit?: (action: AuditedAction) => void | Promise<void>;
  /**
   * What the browser calls this site, such as `https://admin.example.com`.
   *
   * @defaultValue any scheme on the host of the request
   */
  origin?: string;
  /**
   * Signs what the page sends back. At least 32 characters; the same for all processes that answer
   * one page.
   *
   * @defaultValue random for each process
   */
  secret?: string;
  /**
   * How long after it became unknown an outcome can be settled as not executed: longer than any
   * attempt, and any call it made, can still be under way. Too short, and it may happen twice.
   *
   * @defaultValue 15 minutes
   */
  quietMs?: number;
  /**
   * `answerRetentionMs` of your engine: how long settled outcomes are kept, and what the slowest keys
   * are computed with.
   *
   * @defaultValue 24 hours
   */
  answerRetentionMs?: number;
  /** How many of the newest keys are read for counts and plots. @defaultValue `50_000` */
  sampleSize?: number;
  /**
   * After how long the database gives up a statement of the console, but for those that settle: they
   * are the store's own, and wait for a lock as long as it takes.
   *
   * @defaultValue `3_000`
   */
  statementTimeoutMs?: number;
  /** Hears of what went wrong. The page is told no more than that something did. */
  onError?: (error: unknown) => void;
  /** @defaultValue `Date.now` */
  now?: () => number;
}

/** Options with nothing left to decide. */
export interface ResolvedConsole {
  readonly source: Source;
  readonly authorize: Authorize;
  readonly basePath: string;
  readonly showPayloads: boolean;
  readonly audit: (action: AuditedAction) => void | Promise<void>;
  readonly origin: string | undefined;
  readonly tokens: CsrfTokens;
  readonly quietMs: number;
  readonly answerRetentionMs: number;
  readonly sampleSize: number;
  readonly onError: (error: unknown) => void;
  readonly now: () => number;
}

export function resolveConsoleOptions(options: ConsoleOptions): ResolvedConsole {
  const { authorize, audit, secret, origin, now = Date.now } = options;
  if (typeof authorize !== 'function') {
    throw new TypeError(
      'Expected `authorize` to be a function that says who the operator is: the console is closed without it',
    );
  }
  if (secret !== undefined && (typeof secret !== 'string' || secret.length < 32)) {
    throw new TypeError('Expected `secret` to have at least 32 characters');
  }
  if (origin !== undefined && (!URL.canParse(origin) || new URL(origin).origin !== origin)) {
    throw new TypeError('Expected `origin` to be an origin, such as https://admin.example.com');
  }
  if (audit !== undefined && typeof audit !== 'function') {
    throw new TypeError('Expected `audit` to be a function');
  }
  const source = sourceOf(options);
  if (!source.operator && !audit) {
    throw new TypeError(
      `Expected \`audit\` to be a function: the store ${source.store.name} keeps no audit trail`,
    );
  }
  return {
    source,
    authorize,
    origin,
    now,
    basePath: checkedPath(options.basePath ?? '/console'),
    showPayloads: options.showPayloads === true,
    audit: audit ?? (() => undefined),
    tokens: csrfTokens(secret, now),
    quietMs: wholeNumber('quietMs', options.quietMs ?? 15 * 60_000),
    answerRetentionMs: wholeNumber(
      'answerRetentionMs',
      options.answerRetentionMs ?? 24 * 60 * 60_000,
    ),
    sampleSize: wholeNumber('sampleSize', options.sampleSize ?? 50_000),
    onError: neverFailing(options.onError ?? (() => undefined)),
  };
}

function sourceOf(options: ConsoleOptions): Source {
  const { postgres, store, schema, preparedStatements, statementTimeoutMs = 3_000 } = options;
  if ((postgres === undefined) === (store === undefined)) {
    throw new TypeError('Expected either `postgres` or `store`');
  }
  if (store) return { store };
  const driver = postgres as PostgresDriver;
  const shared = {
    ...(schema === undefined ? {} : { schema }),
    ...(preparedStatements === undefined ? {} : { preparedStatements }),
  };
  const bounded = { ...shared, statementTimeoutMs };
  return {
    store: postgresStore(driver, shared),
    operator: postgresOperator(driver, bounded),
    jobs: postgresJobs(driver, bounded),
  };
}

/** Whoever hears of errors may fail as well, at once or later: that is no reason to fail again. */
function neverFailing(hear: (error: unknown) => unknown): (error: unknown) => void {
  return (error) => void (async () => hear(error))().catch(() => undefined);
}

function checkedPath(path: string): string {
  if (typeof path === 'string' && /^(\/[\w.~-]+)*\/?$/.test(path)) return path.replace(/\/$/, '');
  throw new TypeError('Expected `basePath` to be a path, such as /console');
}

function wholeNumber(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0 && value < 2 ** 31) return value;
  throw new TypeError(`Expected \`${name}\` to be a positive whole number, got ${value}`);
}
