import { once } from 'node:events';
import net from 'node:net';

/** What becomes of something that is sent over a line, and of the answer to it. */
export type LineFate =
  | 'arrives'
  /** The line breaks before it arrives. */
  | 'is-lost'
  /** Half of it arrives, and then the line breaks. */
  | 'is-cut-in-half'
  /** All of it arrives but its end, and then the line breaks. */
  | 'is-cut-short'
  /** It arrives, and the line breaks when the other side has answered. */
  | 'is-not-answered'
  /** Half of the answer comes, and then the line breaks. */
  | 'answer-is-truncated'
  /** All of the answer comes but its end, and then the line breaks. */
  | 'answer-is-cut-short'
  /** The answer comes, after a while. */
  | 'answer-is-late'
  /** Somebody on the way answers instead, with these bytes: at once, or when the answer comes. */
  | { readonly answerInstead: Buffer; readonly when: 'before' | 'after' };

/** A line to a server that can be cut, and led to another one. Knows no protocol. */
export interface TcpLine extends AsyncDisposable {
  readonly port: number;
  /** Decides about each piece that clients send from now on. */
  onSending: () => LineFate;
  /** How late an answer is that is late. */
  lateMs: () => number;
  /** Lets nothing through in either direction, on the connections there are, until they are cut. */
  freeze(): void;
  /** Breaks every connection. */
  cut(): void;
}

/** Opens a line to the server on this port of this machine, asked for again by each connection. */
export async function openTcpLine(target: () => number | undefined): Promise<TcpLine> {
  const sockets = new Set<net.Socket>();
  const line = {
    port: 0,
    onSending: (): LineFate => 'arrives',
    lateMs: () => 100,
    freeze() {
      for (const socket of sockets) socket.pause();
    },
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      line.cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = net.createServer((client) => {
    const port = target();
    client.on('error', () => undefined);
    if (port === undefined) return void client.destroy();
    const upstream = net.connect(port, '127.0.0.1');
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
    connect(client, upstream, line);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  line.port = (server.address() as net.AddressInfo).port;
  return line;
}

function connect(client: net.Socket, upstream: net.Socket, line: TcpLine): void {
  let fate: LineFate = 'arrives';
  const cut = () => {
    client.destroy();
    upstream.destroy();
  };
  const answerInstead = (answer: Buffer) => {
    upstream.destroy();
    client.end(answer);
  };

  client.on('data', (chunk) => {
    fate = line.onSending();
    if (fate === 'is-lost') return cut();
    if (fate === 'is-cut-in-half') {
      return void upstream.write(chunk.subarray(0, chunk.length / 2), cut);
    }
    if (fate === 'is-cut-short') return void upstream.write(chunk.subarray(0, -4), cut);
    if (typeof fate === 'object' && fate.when === 'before')
      return answerInstead(fate.answerInstead);
    upstream.write(chunk);
  });
  upstream.on('data', (chunk) => {
    if (fate === 'arrives') return void client.write(chunk);
    if (fate === 'is-not-answered') return cut();
    if (fate === 'answer-is-truncated') {
      return void client.write(chunk.subarray(0, chunk.length / 2), cut);
    }
    if (fate === 'answer-is-cut-short') return void client.write(chunk.subarray(0, -12), cut);
    if (fate === 'answer-is-late') {
      fate = 'arrives';
      upstream.pause();
      setTimeout(() => {
        client.write(chunk);
        upstream.resume();
      }, line.lateMs());
      return;
    }
    if (typeof fate === 'object') answerInstead(fate.answerInstead);
  });
  for (const socket of [client, upstream]) {
    const isUpstream = socket === upstream;
    socket.on('error', cut);
    socket.on('close', () => {
      // What somebody on the way has answered is let through.
      if (!(isUpstream && typeof fate === 'object')) cut();
    });
  }
}
