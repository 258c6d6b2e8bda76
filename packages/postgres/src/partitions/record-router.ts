import type { RecordName } from '@onceward/core/store';
import type { Queryable } from '../database/database.ts';
import { CHECK_VIOLATION, hasSqlState, UNDEFINED_TABLE } from '../database/sql-state.ts';
import { type RecordAddress, recordAddress } from '../record-address.ts';
import { place } from '../sql/place.ts';
import { readLayout } from '../sql/read-layout.ts';
import { type Layout, plainLayout } from './layout.ts';

/**
 * Sends statements to the table that holds a record, without asking where that is.
 *
 *   compute the table from the key's time ──▶ run
 *     ▲                                        │ there is no such table, or it takes no such key
 *     └── the database says where, and makes ◀─┘
 *         the partition or moves the record
 *
 * Going through the parent costs a third of the throughput. The price of computing is that a table
 * may be gone, or not be there yet. What was sent to it then did nothing, and is sent again.
 */
export class RecordRouter {
  readonly #database: Queryable;
  readonly #schema: string;
  #layout: Layout | Promise<Layout> | undefined;

  constructor(database: Queryable, schema: string) {
    this.#database = database;
    this.#schema = schema;
  }

  /**
   * Runs something at the place of a record, and again at another one if it is not there.
   *
   * `mayRunAgain` is asked first: what has begun to do more than look must not start over.
   */
  async at<Value>(
    name: RecordName,
    run: (address: RecordAddress) => Promise<Value>,
    mayRunAgain: () => boolean = () => true,
  ): Promise<Value> {
    const layout = this.#layoutFor(name);
    let address = recordAddress(
      name,
      this.#schema,
      layout instanceof Promise ? await layout : layout,
    );
    for (let tries = 1; ; tries++) {
      try {
        return await run(address);
      } catch (error) {
        if (!isMisplaced(error) || address.keyTimestampMs === null) throw error;
        address = await this.#relocate(name, address);
        if (tries === MAX_TRIES || !mayRunAgain()) throw error;
      }
    }
  }

  /** Reads the layout anew. */
  async refresh(): Promise<void> {
    this.#layout = undefined;
    await this.#readLayout();
  }

  async #relocate(name: RecordName, address: RecordAddress): Promise<RecordAddress> {
    const { home, layout } = await place(this.#database, this.#schema, address);
    this.#layout = layout;
    // A record that was just moved is in `records`, although others of its time may not be yet.
    return recordAddress(name, this.#schema, home === 'partition' ? layout : plainLayout);
  }

  #layoutFor({ keyTimestampMs }: RecordName): Layout | Promise<Layout> {
    return keyTimestampMs === null ? plainLayout : this.#readLayout();
  }

  #readLayout(): Layout | Promise<Layout> {
    this.#layout ??= readLayout(this.#database, this.#schema).then(
      (layout) => (this.#layout = layout),
      (error: unknown) => {
        this.#layout = undefined;
        throw error;
      },
    );
    return this.#layout;
  }
}

/** Nobody is where the statement went, or who is there takes no record of this time. */
function isMisplaced(error: unknown): boolean {
  return hasSqlState(error, UNDEFINED_TABLE, CHECK_VIOLATION);
}

const MAX_TRIES = 3;
