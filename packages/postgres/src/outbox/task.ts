/**
 * A kind of job: what its payload is, and in which lane it runs.
 *
 * `Input` is what is enqueued, `Output` what the handler gets.
 */
export interface Task<Input, Output = Input> {
  readonly payload?: PayloadSchema<unknown, unknown> | undefined;
  /** A method, so that tasks of any payload fit into one list. */
  lane?(payload: Input): string;
  /** For the compiler alone. */
  readonly types?: (input: Input) => Output;
}

/** Tasks by their names. */
export type Tasks = Readonly<Record<string, Task<never, unknown>>>;

/** The name of one of these tasks. */
export type TaskName<Named extends Tasks> = keyof Named & string;

/** What is enqueued for a task. */
export type InputOf<Of> = Of extends Task<infer Input, unknown> ? Input : never;

/** What the handler of a task gets. */
export type OutputOf<Of> = Of extends Task<never, infer Output> ? Output : never;

/** A schema of zod, Valibot, ArkType or whatever else follows https://standardschema.dev. */
export interface PayloadSchema<Input, Output> {
  readonly '~standard': {
    readonly validate: (value: unknown) => Validation<Output> | Promise<Validation<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

type Validation<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly object[] };

/** Options of a task. */
export interface TaskOptions<Payload> {
  /**
   * Jobs of one lane run one after the other, in the order in which they were committed, whatever
   * their tasks. One that fails holds its lane until it is done or dead.
   *
   * @defaultValue no lane: in any order, at the same time
   */
  lane?: (payload: Payload) => string;
}

/** Options of a task whose payload is checked. */
export interface SchemaTaskOptions<Input, Output> extends TaskOptions<Input> {
  /** Checks the payload when it is enqueued, and again before the handler gets it. */
  payload: PayloadSchema<Input, Output>;
}

/**
 * Declares a task, with a schema or by its type alone.
 *
 * @example
 * ```ts
 * const tasks = {
 *   'send-receipt': task<{ paymentId: string }>(),
 *   'update-ledger': task({ payload: Entry, lane: ({ account }) => account }),
 * };
 * ```
 */
export function task<Input, Output>(options: SchemaTaskOptions<Input, Output>): Task<Input, Output>;
export function task<Payload>(options?: TaskOptions<Payload>): Task<Payload>;
export function task<Input, Output>(
  options: TaskOptions<Input> & Partial<SchemaTaskOptions<Input, Output>> = {},
): Task<Input, Output> {
  const { payload, lane } = options;
  return { payload, ...(lane && { lane }) };
}

/** What a schema makes of a payload. Rejects with its objections as the `cause`. */
export async function validated(
  payload: unknown,
  { payload: schema }: Pick<Task<never, unknown>, 'payload'>,
  name: string,
): Promise<unknown> {
  if (!schema) return payload;
  const validation = await schema['~standard'].validate(payload);
  if (!validation.issues) return validation.value;
  throw new TypeError(`Expected the payload of task '${name}' to match its schema`, {
    cause: validation.issues,
  });
}
