/**
 * Redis is unwell, or refused a command. Nothing was granted.
 *
 * It carries no `cause` on purpose: ioredis hangs a command's arguments on its errors, and loggers
 * print whatever hangs on an error. Keys and answers would end up in the logs.
 */
export class RedisStoreError extends Error {
  override readonly name = 'RedisStoreError';
  /** The first word of Redis's reply (`OOM`, `READONLY`, …), the network's code or the error's name. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The same failure without the arguments of the command that met it. */
export function withoutArguments(error: unknown): RedisStoreError {
  if (error instanceof RedisStoreError) return error;
  // Whatever it is: a client, or what somebody put around it, may reject with anything.
  const { message, code } = Object(error) as { message?: unknown; code?: unknown };
  const said = typeof message === 'string' ? message : '';
  const reply = /^[A-Z]+\b/.exec(said)?.[0];
  const known = reply ?? (typeof code === 'string' ? code : nameOf(Object(error) as Error));
  // "ERR unknown command 'x', with args beginning with: …" repeats what was sent.
  const [safe = ''] = said.split(', with args');
  return new RedisStoreError(known, `Redis did not do what was asked: ${safe}`);
}

/** node-redis tells its errors apart by their classes, and some of them say nothing more. */
function nameOf({ name = 'Error', constructor }: Partial<Error>): string {
  return name === 'Error' ? (constructor?.name ?? name) : name;
}
