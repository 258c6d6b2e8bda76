/** A body that is the same however often it is sent, and the type it was written as. */
export interface ReplayableBody {
  readonly body: BodyInit | undefined;
  readonly contentType?: string | null;
}

/** Whether a body can be read more than once. A stream is sent as it is, and once. */
export function isReplayable(body: BodyInit | undefined): boolean {
  if (typeof body !== 'object') return true;
  return !('getReader' in body) && !(Symbol.asyncIterator in body);
}

/**
 * Keeps a body as it is now, so that every attempt sends the same bytes.
 *
 * Forms and buffers can change while a retry waits, and a form is written with another boundary
 * each time; to a server that compares bytes that is another request.
 */
export async function replayableBody(body: BodyInit | undefined): Promise<ReplayableBody> {
  if (typeof body !== 'object' || body instanceof Blob) return { body };
  try {
    const written = new Response(body);
    return { contentType: written.headers.get('content-type'), body: await written.blob() };
  } catch {
    // React Native writes a form only while it sends it.
    return { body };
  }
}
