import { Refusal } from '../answers/refusal.ts';

/** Reads a JSON object of limited size. */
export async function readBody(request: Request): Promise<Readonly<Record<string, unknown>>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) throw new Refusal(413, 'too-large');
    chunks.push(chunk);
  }
  const body = parsed(Buffer.concat(chunks).toString('utf8'));
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refusal(400, 'not-json');
  }
  return body as Readonly<Record<string, unknown>>;
}

const maxBytes = 262_144;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
