import { EventEmitter } from 'node:events';
import {
  forgetParsed,
  isParsed,
  makeRoomFor,
  type ParsingConnection,
} from './parsed-statements.ts';
import { hasSqlState, INVALID_STATEMENT_NAME } from './sql-state.ts';
import { asBuffer, toText } from './text-parameters.ts';

/** A statement of a flight; a name lets the connection parse it once. */
export interface FlightStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name: string | undefined;
}

/** What came of statements that were sent together. */
export interface FlightAnswer {
  /** The rows and the command tag of each that was done. */
  readonly done: readonly { readonly rows: unknown[]; readonly command: string }[];
  /** Why the one after them failed; `sent` unless it is certain that nothing was. */
  readonly failure?: { readonly error: unknown; readonly sent: boolean };
}

/** A client of `pg` that lets others write to its connection, as `pg-cursor` does. */
export interface FlyingClient {
  query(flight: PgFlight): unknown;
}

/**
 * Whether several statements can share one round trip on this client.
 *
 * Not on one that pipelines by itself, which refuses foreign queries.
 */
export function canFly(client: object): client is FlyingClient {
  const { connection, pipeline } = client as { connection?: unknown; pipeline?: unknown };
  const methods = Object(connection) as Record<string, unknown>;
  const needed = ['parse', 'bind', 'describe', 'execute', 'sync'];
  return pipeline !== true && needed.every((method) => typeof methods[method] === 'function');
}

/** Sends all statements in one round trip. Never rejects. */
export function fly(
  client: FlyingClient,
  statements: readonly FlightStatement[],
): Promise<FlightAnswer> {
  return new Promise((resolve) => {
    let sent = false;
    try {
      const flight = new PgFlight(statements, resolve);
      sent = true;
      client.query(flight);
    } catch (error) {
      // Whatever has been put around `query` may fail before or after it was called.
      resolve({ done: [], failure: { error, sent } });
    }
  });
}

/**
 * Several statements and a single Sync.
 *
 * When one fails, the server skips the others, COMMIT as well: the transaction stays open.
 * An emitter with a `callback`, because whatever watches or limits queries of `pg` expects one.
 */
export class PgFlight extends EventEmitter {
  callback?: (error: unknown, answer?: FlightAnswer) => void;
  readonly #statements: readonly WrittenStatement[];
  readonly #arrived: (answer: FlightAnswer) => void;
  readonly #done: { rows: unknown[]; command: string }[] = [];
  #columns: readonly string[] | undefined;
  #rows: unknown[] = [];
  #submitted = false;
  #settled = false;

  constructor(statements: readonly FlightStatement[], arrived: (answer: FlightAnswer) => void) {
    super();
    // Before anything is sent: a value that cannot be written must not leave half a flight behind.
    this.#statements = statements.map((statement) => ({
      ...statement,
      values: statement.values.map(onTheWire),
    }));
    this.#arrived = arrived;
  }

  /** Of the statement the next message is about: `pg` remembers by it what the server has parsed. */
  get name(): string | undefined {
    return this.#current?.name;
  }

  get text(): string | undefined {
    return this.#current?.text;
  }

  submit(connection: PgConnection): void {
    this.#submitted = true;
    connection.stream?.cork?.();
    try {
      makeRoomFor(
        this.#statements.map(({ name }) => name),
        connection,
      );
      for (const statement of this.#statements) send(connection, statement);
      connection.sync();
    } finally {
      connection.stream?.uncork?.();
    }
  }

  handleRowDescription({ fields }: { fields: readonly { name: string }[] }): void {
    this.#columns = fields.map(({ name }) => name);
    rememberColumns(this.name, this.#columns);
  }

  handleDataRow({ fields }: { fields: readonly unknown[] }): void {
    this.#columns ??= this.#current?.columns ?? [];
    const row: Record<string, unknown> = {};
    for (const [at, name] of this.#columns.entries()) row[name] = fields[at];
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    // `INSERT 0 1`, `SELECT 2`, `COMMIT`
    const [command = ''] = text.split(' ');
    // It was described, and as having none.
    if (!this.#columns && !this.#current?.columns) rememberColumns(this.name, []);
    this.#done.push({ rows: this.#rows, command });
    this.#columns = undefined;
    this.#rows = [];
  }

  handleReadyForQuery(): void {
    this.#settle({ done: this.#done });
  }

  handleError(error: unknown, connection?: PgConnection): void {
    for (const { name } of this.#statements) {
      if (name !== undefined) delete connection?.submittedNamedStatements?.[name];
    }
    if (connection && hasSqlState(error, INVALID_STATEMENT_NAME)) forgetParsed(connection);
    this.#settle({ done: this.#done, failure: { error, sent: this.#submitted } });
  }

  // None of our statements is empty, comes in portions, or copies.
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}

  get #current(): WrittenStatement | undefined {
    return this.#statements[this.#done.length];
  }

  #settle(answer: FlightAnswer): void {
    if (this.#settled) return;
    this.#settled = true;
    this.callback?.(answer.failure?.error, answer);
    this.#arrived(answer);
    this.emit('end', answer);
  }
}

/** The part of a connection of `pg` by which queries are written. */
interface PgConnection extends ParsingConnection {
  readonly stream?: { cork?(): void; uncork?(): void };
  parse(message: { name: string | undefined; text: string }): void;
  bind(message: { statement: string | undefined; values: (string | Buffer | null)[] }): void;
  describe(message: { type: 'P'; name: string }): void;
  execute(message: { portal: string }): void;
  sync(): void;
}

interface WrittenStatement extends FlightStatement {
  readonly values: (string | Buffer | null)[];
  /**
   * What its columns are called, if that was known when it was sent. Kept with the statement: the map
   * may be emptied before its rows arrive, and then nobody describes them.
   */
  columns?: readonly string[] | undefined;
}

function send(connection: PgConnection, statement: WrittenStatement): void {
  const { name, text, values } = statement;
  if (!isParsed(connection, name)) {
    // The server may have one that nobody here knows of, and would refuse another of that name. To
    // close what is not there is no error.
    if (name !== undefined) connection.close?.({ type: 'S', name });
    connection.parse({ name, text });
    if (name !== undefined && connection.submittedNamedStatements) {
      connection.submittedNamedStatements[name] = text;
    }
  }
  connection.bind({ statement: name, values });
  statement.columns = columnsOf.get(name ?? '');
  if (!statement.columns) connection.describe({ type: 'P', name: '' });
  connection.execute({ portal: '' });
}

/**
 * What the columns of a statement are called, once a server has described them. A name stands for
 * one text, so they are called the same everywhere.
 */
const columnsOf = new Map<string, readonly string[]>();

function rememberColumns(name: string | undefined, columns: readonly string[]): void {
  if (name === undefined || columnsOf.has(name)) return;
  if (columnsOf.size >= MAX_DESCRIBED) columnsOf.clear();
  columnsOf.set(name, columns);
}

const MAX_DESCRIBED = 1_000;

/** Bytes need not become hexadecimal digits on the way. */
function onTheWire(value: unknown): string | Buffer | null {
  return value instanceof Uint8Array ? asBuffer(value) : toText(value);
}
