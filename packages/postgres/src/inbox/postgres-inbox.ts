import type { Database } from '../database/database.ts';
import { databaseOf, type PostgresDriver, type TransactionOf } from '../database/driver.ts';
import type { PgOptions } from '../database/pg-pool.ts';
import { positiveInteger, retentionMs, shortText, timerMs } from '../outbox/check-option.ts';
import { quotedSchema, type SchemaOptions } from '../schema.ts';
import { messageAddress } from './message-address.ts';
import { type Delivery, processMessage, type WorkContext } from './process-message.ts';
import { pruneMessages } from './sql/prune-messages.ts';

export type { Delivery, WorkContext };

export interface PostgresInboxOptions extends SchemaOptions, PgOptions {
  /** Who sends the messages. Ids of two sources never meet. */
  source: string;
  /**
   * How long a delivery waits for another one of the same message, which holds a connection; `0` is
   * told at once that it is in progress.
   *
   * @defaultValue `0`
   */
  waitMs?: number;
  /**
   * How long message ids are remembered: longer than the source goes on delivering. A message that
   * comes after that is processed again.
   *
   * @defaultValue `2_592_000_000` (thirty days)
   */
  retentionMs?: number;
  /** What is longer than this, as JSON, is not kept for duplicates. @defaultValue `65_536` */
  maxAnswerBytes?: number;
}

/**
 * Processes messages that may be delivered more than once, such as webhooks. Run `migrate` first.
 *
 * @example
 * ```ts
 * const inbox = postgresInbox(pool, { source: 'stripe' });
 * await inbox.processOnce(event.id, ({ tx }) => tx.query('update payments set …'));
 * ```
 */
export function postgresInbox<Driver extends PostgresDriver>(
  driver: Driver,
  options: PostgresInboxOptions,
): PostgresInbox<TransactionOf<Driver>> {
  return new PostgresInbox(databaseOf(driver, options), options);
}

/** See {@link postgresInbox}. */
export class PostgresInbox<Transaction> {
  readonly #database: Database<Transaction>;
  readonly #schema: string;
  readonly #source: string;
  readonly #waitMs: number;
  readonly #retentionMs: number;
  readonly #maxAnswerBytes: number;

  constructor(database: Database<Transaction>, options: PostgresInboxOptions) {
    this.#database = database;
    this.#schema = quotedSchema(options);
    this.#source = shortText('source', options.source);
    const { waitMs = 0 } = options;
    this.#waitMs = waitMs === 0 ? 0 : timerMs('waitMs', waitMs);
    this.#retentionMs = retentionMs('retentionMs', options.retentionMs ?? 30 * 86_400_000);
    this.#maxAnswerBytes = positiveInteger('maxAnswerBytes', options.maxAnswerBytes ?? 65_536);
  }

  /**
   * Runs `work` in a transaction that also remembers the message: what it writes through `tx`
   * happens exactly once, however often the message is delivered. When `work` throws, nothing of it
   * has happened, and the next delivery tries again.
   */
  async processOnce<T>(
    messageId: string,
    work: (context: WorkContext<Transaction>) => T | Promise<T>,
  ): Promise<Delivery<T>> {
    const message = {
      source: this.#source,
      messageId: shortText('messageId', messageId, 1_000),
    };
    return processMessage(this.#database, {
      address: messageAddress(message, this.#schema),
      message,
      work,
      waitMs: this.#waitMs,
      maxAnswerBytes: this.#maxAnswerBytes,
    });
  }

  /** Forgets messages of this source that are past their retention; answers with how many. */
  async prune(): Promise<number> {
    return pruneMessages(this.#database, this.#schema, {
      source: this.#source,
      retentionMs: this.#retentionMs,
    });
  }
}
