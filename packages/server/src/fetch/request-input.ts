import { rawInput } from '../fingerprint/raw-input.ts';

/** A body that was read to its end, so that it can be compared and still be handled. */
export interface ReadRequest {
  /** A request like the one that came, with its body still to be read. */
  readonly copy: () => Request;
  /** What two requests with one key have to agree on. */
  readonly input: () => unknown;
}

/** `undefined` when the body is longer than that; then no more of it is read. */
export async function readRequest(
  request: Request,
  maxBodyBytes: number,
): Promise<ReadRequest | undefined> {
  const body = await readBody(request, maxBodyBytes);
  if (body === 'too-long') return undefined;
  const { url, method, headers } = request;
  return {
    // Without its signal: whoever goes away does not undo what they asked for.
    copy: () => new Request(url, { method, headers, ...(body.length > 0 && { body }) }),
    input: () => inputOf(request, body),
  };
}

async function readBody(
  request: Request,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | 'too-long'> {
  if (Number(request.headers.get('content-length')) > maxBytes) return 'too-long';
  const chunks: Uint8Array[] = [];
  let size = 0;
  const body = request.body as AsyncIterable<Uint8Array> | null;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) return 'too-long';
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** The address counts: `PATCH /orders/7` is not `PATCH /orders/8`. */
function inputOf({ url, method, headers }: Request, body: Uint8Array): unknown {
  const { pathname, search } = new URL(url);
  const target = `${method} ${pathname}${search}`;
  const json = isJson(headers.get('content-type')) ? parseJson(body) : undefined;
  if (json !== undefined) return { target, body: json };
  return rawInput(Buffer.concat([Buffer.from(`${target}\n`), body]));
}

function isJson(contentType: string | null): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '');
}

/** What is not JSON is compared as bytes: the handler says what is wrong with it. */
function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
  } catch {
    return undefined;
  }
}
