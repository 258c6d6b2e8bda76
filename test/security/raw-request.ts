import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** Sends bytes that no HTTP client would send, and reads the first line and all of the answer. */
export async function rawRequest(url: string, request: Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(request);
  const answer = await text(socket);
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]), text: answer };
}

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
}

/** A payment of Alice with these header lines, byte for byte. */
export function paymentWith(...lines: readonly string[]): Buffer {
  const body = '{"cents":1}';
  const head = [
    'POST /pay HTTP/1.1',
    'host: bank.test',
    'connection: close',
    'authorization: Bearer alice',
    'content-type: application/json',
    `content-length: ${body.length}`,
    ...lines,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`, 'latin1');
}
