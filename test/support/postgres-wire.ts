import net from 'node:net';
import { once } from 'node:events';

/** A line to PostgreSQL that can be watched and cut. */
export interface Wire extends AsyncDisposable {
  /** What to connect to instead. */
  readonly url: string;
  /** How often a client has sent something and waited for the answer, since the last reset. */
  readonly roundTrips: number;
  reset(): void;
  /** Decides about everything that clients send from now on; connecting is not asked about. */
  onSending: (sending: Sending) => Fate;
  /** Called when something is held: on its way, or after the server has answered it. */
  onHeld: () => void;
}

/** What a client sends at a time. */
export interface Sending {
  /** The statements in it. */
  readonly texts: readonly string[];
  /** How many went before it since the last reset, of all clients. */
  readonly number: number;
}

export type Fate =
  | 'arrives'
  /** The line breaks before it arrives. */
  | 'is-lost'
  /** It arrives, the server is done with it, and the line breaks before it answers. */
  | 'is-not-answered'
  /** It arrives, and the client's end of the line breaks while the server is busy with it. */
  | 'is-cut-off'
  /** It does not arrive for as long as the client waits for it. */
  | 'is-held'
  /** It arrives, the server is done with it, and the client waits for the answer. */
  | 'answer-is-held'
  /** It arrives, the server is done with it, and the answer takes a tenth of a second. */
  | 'answer-is-late'
  /** It arrives, and the line breaks in the middle of the answer. */
  | 'answer-is-truncated'
  /** It arrives after a statement that fails, one the client neither sends nor hears of. */
  | 'comes-after-a-failure';

/** Opens a line to the server of this address. */
export async function openWire(postgresUrl: string): Promise<Wire> {
  const target = new URL(postgresUrl);
  const state = {
    roundTrips: 0,
    sendings: 0,
    onSending: (): Fate => 'arrives',
    onHeld() {},
  } as State;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
    connectLine(client, upstream, state);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const url = new URL(target);
  url.port = String((server.address() as net.AddressInfo).port);
  return {
    url: url.href,
    get roundTrips() {
      return state.roundTrips;
    },
    set onSending(decide: Wire['onSending']) {
      state.onSending = decide;
    },
    set onHeld(tell: Wire['onHeld']) {
      state.onHeld = tell;
    },
    reset: () => Object.assign(state, { roundTrips: 0, sendings: 0 }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface State {
  roundTrips: number;
  sendings: number;
  onSending: Wire['onSending'];
  onHeld: Wire['onHeld'];
}

function connectLine(client: net.Socket, upstream: net.Socket, state: State): void {
  const requests = new Messages('frontend');
  const answers = new Messages('backend');
  const names = new Map<string, string>();
  let waiting = false;
  /** Answers that nobody is to hear, until the server is ready again. */
  let unheard = 0;
  /** Whether the line is cut when the server has answered, and with what it ends then. */
  let last: 'Z' | 'anything' | undefined;
  let holding = false;
  let late = false;
  let truncated = false;
  const cut = () => {
    client.destroy();
    upstream.destroy();
  };

  client.on('data', (chunk) => {
    const messages = requests.add(chunk);
    if (messages.length === 0) return;
    const texts = messages.flatMap((message) => textsOf(message, names));
    if (messages.some(({ type }) => type === '')) return void upstream.write(bytesOf(messages));
    if (!waiting) state.roundTrips++;
    waiting = true;
    const fate = state.onSending({ texts, number: state.sendings++ });
    if (fate === 'is-lost') return cut();
    if (fate === 'is-held') return state.onHeld();
    if (fate === 'comes-after-a-failure') {
      unheard++;
      upstream.write(query('select 1 / 0'));
    } else if (fate === 'answer-is-held') {
      holding = true;
    } else if (fate === 'answer-is-late') {
      late = true;
    } else if (fate !== 'arrives') {
      truncated = fate === 'answer-is-truncated';
      // Without Sync there is no end to it: postgres.js asks for types, and then goes on.
      const synced = messages.some(({ type }) => type === 'S' || type === 'Q');
      last ??= synced ? 'Z' : 'anything';
    }
    upstream.write(bytesOf(messages), () => fate === 'is-cut-off' && client.destroy());
  });
  upstream.on('data', (chunk) => {
    const messages = answers.add(chunk);
    if (holding) return void (messages.some(({ type }) => type === 'Z') && state.onHeld());
    if (truncated) return void client.write(chunk.subarray(0, chunk.length / 2), cut);
    if (last) return messages.some(({ type }) => last === 'anything' || last === type) && cut();
    const heard = messages.filter(({ type }) => {
      const silenced = unheard > 0;
      if (silenced && type === 'Z') unheard--;
      return !silenced;
    });
    if (heard.length === 0) return;
    waiting = false;
    if (!late) return void client.write(bytesOf(heard));
    late = false;
    upstream.pause();
    setTimeout(() => {
      client.write(bytesOf(heard));
      upstream.resume();
    }, lateMs);
  });
  const end = () => (last ? client.destroy() : cut());
  for (const event of ['error', 'end', 'close']) {
    client.on(event, end);
    upstream.on(event, cut);
  }
}

const lateMs = 100;

function bytesOf(messages: readonly Message[]): Buffer {
  return Buffer.concat(messages.map(({ bytes }) => bytes));
}

function query(text: string): Buffer {
  const message = Buffer.from(`Q\0\0\0\0${text}\0`);
  message.writeInt32BE(message.length - 1, 1);
  return message;
}

interface Message {
  /** Empty for the one a client starts with. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** Cuts a stream of bytes into messages of the protocol. */
class Messages {
  #rest = Buffer.alloc(0);
  #started: boolean;

  constructor(side: 'frontend' | 'backend') {
    this.#started = side === 'backend';
  }

  add(chunk: Buffer): Message[] {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    const messages: Message[] = [];
    for (;;) {
      const header = this.#started ? 1 : 0;
      if (this.#rest.length < header + 4) return messages;
      const length = header + this.#rest.readInt32BE(header);
      if (this.#rest.length < length) return messages;
      const bytes = this.#rest.subarray(0, length);
      messages.push({ type: header === 0 ? '' : String.fromCharCode(bytes[0] ?? 0), bytes });
      this.#rest = this.#rest.subarray(length);
      this.#started = true;
    }
  }
}

/** The statement a message executes, whether it comes as a text or by the name of a parsed one. */
function textsOf({ type, bytes }: Message, names: Map<string, string>): string[] {
  const [first = '', second = ''] = bytes.toString('latin1', 5).split('\0');
  if (type === 'Q') return [first];
  if (type === 'P') names.set(first, second);
  return type === 'B' ? [names.get(second) ?? ''] : [];
}
