import { EventEmitter } from 'node:events';
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
    return this.#statements[this.#done.length]?.name;
  }

  get text(): string | undefined {
    return this.#statements[this.#done.length]?.text;
  }

  submit(connection: PgConnection): void {
    this.#submitted = true;
    connection.stream?.cork?.();
    try {
      for (const statement of this.#statements) send(connection, statement);
      connection.sync();
    } finally {
      connection.stream?.uncork?.();
    }
  }

  handleRowDescription({ fields }: { fields: readonly { name: string }[] }): void {
    this.#columns = fields.map(({ name }) => name);
    const { name } = this;
    if (name !== undefined) columnsOf.set(name, this.#columns);
  }

  handleDataRow({ fields }: { fields: readonly unknown[] }): void {
    this.#columns ??= columnsOf.get(this.name ?? '') ?? [];
    const row: Record<string, unknown> = {};
    for (const [at, name] of this.#columns.entries()) row[name] = fields[at];
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    // `INSERT 0 1`, `SELECT 2`, `COMMIT`
    const [command = ''] = text.split(' ');
    const { name } = this;
    // It was described as having none.
    if (name !== undefined && !columnsOf.has(name)) columnsOf.set(name, []);
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
    this.#settle({ done: this.#done, failure: { error, sent: this.#submitted } });
  }

  // None of our statements is empty, comes in portions, or copies.
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}

  #settle(answer: FlightAnswer): void {
    if (this.#settled) return;
    this.#settled = true;
    this.callback?.(answer.failure?.error, answer);
    this.#arrived(answer);
    this.emit('end', answer);
  }
}

/** The part of a connection of `pg` by which queries are written. */
interface PgConnection {
  readonly stream?: { cork?(): void; uncork?(): void };
  readonly parsedStatements?: Record<string, string>;
  readonly submittedNamedStatements?: Record<string, string>;
  parse(message: { name: string | undefined; text: string }): void;
  bind(message: { statement: string | undefined; values: (string | Buffer | null)[] }): void;
  describe(message: { type: 'P'; name: string }): void;
  execute(message: { portal: string }): void;
  sync(): void;
}

interface WrittenStatement extends FlightStatement {
  readonly values: (string | Buffer | null)[];
}

function send(connection: PgConnection, { name, text, values }: WrittenStatement): void {
  if (!isParsed(connection, name)) {
    connection.parse({ name, text });
    if (name !== undefined && connection.submittedNamedStatements) {
      connection.submittedNamedStatements[name] = text;
    }
  }
  connection.bind({ statement: name, values });
  if (name === undefined || !columnsOf.has(name)) connection.describe({ type: 'P', name: '' });
  connection.execute({ portal: '' });
}

/**
 * What the columns of a statement are called, once a server has described them. A name stands for
 * one text, so they are called the same everywhere.
 */
const columnsOf = new Map<string, readonly string[]>();

function isParsed(connection: PgConnection, name: string | undefined): boolean {
  if (name === undefined) return false;
  const { parsedStatements, submittedNamedStatements } = connection;
  return Boolean(parsedStatements?.[name] ?? submittedNamedStatements?.[name]);
}

/** Bytes need not become hexadecimal digits on the way. */
function onTheWire(value: unknown): string | Buffer | null {
  return value instanceof Uint8Array ? asBuffer(value) : toText(value);
}
