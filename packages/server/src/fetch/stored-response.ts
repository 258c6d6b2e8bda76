import type { AnswerCodec } from '../answers/answer-codec.ts';
import { ResponseFailure } from './response-failure.ts';

/** A response as it is kept: what can be sent any number of times. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** All that the handler said, cookies included: for whoever it answered, and for nobody else. */
  readonly ownHeaders?: Headers;
  /** A stream is passed on once, and not kept. */
  readonly body: Uint8Array | ReadableStream | null;
}

/** Reads a response to its end, but for events, which may have none. */
export async function storableResponse(
  response: Response,
  replayHeaders: ReadonlySet<string>,
): Promise<StoredResponse> {
  const { status, body, headers: ownHeaders } = response;
  const headers = [...ownHeaders].filter(
    ([name]) => bodyHeaders.has(name) || replayHeaders.has(name),
  );
  if (body === null || isEventStream(response)) return { status, headers, ownHeaders, body };
  return { status, headers, ownHeaders, body: new Uint8Array(await response.arrayBuffer()) };
}

export function responseFrom({ status, headers, ownHeaders, body }: StoredResponse): Response {
  const kept = headers.map(([name, value]): [string, string] => [name, value]);
  return new Response(body as BodyInit | null, { status, headers: ownHeaders ?? kept });
}

/** `length of the head (4) | head, as JSON | body` */
export const responseCodec: AnswerCodec = {
  encode: (value) => encode(value as StoredResponse),
  decode,
  encodeError: (error) => encode(ResponseFailure.of(error).response),
  decodeError: (bytes) => new ResponseFailure(decode(bytes)),
};

/** What describes a body, and where to find what was made. */
const bodyHeaders = new Set([
  ...['content-type', 'content-encoding', 'content-language', 'content-disposition'],
  ...['content-location', 'location', 'link', 'etag', 'last-modified', 'cache-control', 'vary'],
]);

function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}

function encode({ status, headers, body }: StoredResponse): Uint8Array {
  if (body instanceof ReadableStream) throw new TypeError('A stream cannot be kept');
  const head = Buffer.from(JSON.stringify({ status, headers, empty: body === null }));
  const length = Buffer.alloc(HEAD_LENGTH_BYTES);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, body ?? Buffer.alloc(0)]);
}

function decode(bytes: Uint8Array): StoredResponse {
  const stored = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const bodyStart = HEAD_LENGTH_BYTES + stored.readUInt32BE();
  const head = JSON.parse(stored.toString('utf8', HEAD_LENGTH_BYTES, bodyStart)) as Pick<
    StoredResponse,
    'status' | 'headers'
  > & { empty: boolean };
  const { status, headers, empty } = head;
  return { status, headers, body: empty ? null : new Uint8Array(stored.subarray(bodyStart)) };
}

const HEAD_LENGTH_BYTES = 4;
