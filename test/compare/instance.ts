import type { ChildProcess } from 'node:child_process';
import { killNow, type Program } from '../support/node-process.ts';
import type { Contender } from './contenders/contender.ts';
import type { Behaviour, Order, Word } from './instance-process.ts';
import { openStoreLine } from './store-line.ts';

/** A server of a contender, in a process of its own. */
export interface Instance extends AsyncDisposable {
  /** Sends a mutation over HTTP. */
  send(sent: Sent): Promise<Answer>;
  behave(as: Behaviour): Promise<void>;
  /** Lets handlers go on that wait. */
  goOn(): void;
  /** Takes the database away. */
  cutStore(): void;
  /** Resolves when all that it has executed so far is known. */
  heard(): Promise<void>;
  /** As kill -9. */
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
}

export interface Sent {
  readonly key?: string | undefined;
  /** @defaultValue `alice` */
  readonly user?: string;
  /** @defaultValue `pay` */
  readonly operation?: string;
  /** JSON. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface Answer {
  /** 0 when there was none in time. */
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** What the handler has answered, if that is in it. */
  readonly receipt: string | undefined;
}

export interface InstanceOptions {
  readonly program: Program;
  readonly contender: Contender;
  readonly databaseUrl: string;
  readonly name: string;
  readonly onWord: (word: Word) => void;
}

/** How long an attempt may be silent, where a contender has such a notion. */
export const leaseMs = 1_000;

/** Who has not answered by then does not answer. */
const patienceMs = 4_000;

export async function openInstance(options: InstanceOptions): Promise<Instance> {
  const line = await openStoreLine(options.databaseUrl);
  const child = options.program.start(
    {
      kind: 'open',
      contender: options.contender.name,
      url: line.url,
      instance: options.name,
      leaseMs,
    } satisfies Order,
    { quiet: true },
  );
  child.on('message', (word: Word) => options.onWord(word));
  const { port } = await told(child, 'open');
  return {
    send: (sent) => send(`http://127.0.0.1:${port}`, sent),
    async behave(as) {
      child.send({ kind: 'behave', as } satisfies Order);
      await told(child, 'behaves');
    },
    async heard() {
      if (!child.connected) return;
      child.send({ kind: 'speak' } satisfies Order);
      await told(child, 'spoken');
    },
    goOn: () => void child.send({ kind: 'go-on' } satisfies Order),
    cutStore: () => line.cut(),
    kill: () => killNow(child),
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await killNow(child);
      await line[Symbol.asyncDispose]();
    },
  };
}

function told<Kind extends Word['kind']>(
  child: ChildProcess,
  kind: Kind,
): Promise<Extract<Word, { kind: Kind }>> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`No '${kind}' from a server`)), 30_000);
    const listen = (word: Word) => {
      if (word.kind !== kind) return;
      clearTimeout(timer);
      child.off('message', listen);
      resolve(word as Extract<Word, { kind: Kind }>);
    };
    child.on('message', listen);
  });
}

async function send(url: string, sent: Sent): Promise<Answer> {
  const { key, user = 'alice', operation = 'pay', body = '{"cents":1}', headers, signal } = sent;
  const timeout = AbortSignal.timeout(patienceMs);
  try {
    const response = await fetch(`${url}/${operation}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${user}`,
        // A connection of its own: one that was given up must not be used again.
        connection: 'close',
        ...(key && { 'idempotency-key': key }),
        ...headers,
      },
      body,
      signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
    });
    const text = await response.text();
    const receipt = /receipt-\d+-\d+-\w+/.exec(text)?.[0];
    return { status: response.status, headers: response.headers, text, receipt };
  } catch {
    return { status: 0, headers: new Headers(), text: '', receipt: undefined };
  }
}
