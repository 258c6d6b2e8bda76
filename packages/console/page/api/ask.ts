import type { Session } from '../../src/api/session.ts';
import type { RefusalCode } from '../../src/answers/refusal.ts';

/** Why the console did not answer with what was asked for. */
export class AskError extends Error {
  override readonly name = 'AskError';
  readonly code: RefusalCode | 'not-signed-in' | 'unreachable';
  readonly field: string | undefined;

  constructor(code: AskError['code'], field?: string) {
    super(code);
    this.code = code;
    this.field = field;
  }
}

/** Reads something. Relative to the page, wherever it is mounted. */
export async function read<Answer>(name: string, search: Record<string, string> = {}) {
  const query = new URLSearchParams(search).toString();
  return send<Answer>(`./api/${name}${query === '' ? '' : `?${query}`}`, { method: 'GET' });
}

/** Posts something, with the token that only this page can have read. */
export async function post<Answer>(name: string, body: object): Promise<Answer> {
  try {
    return await postOnce<Answer>(name, body, (await session()).token);
  } catch (error) {
    if (!(error instanceof AskError) || error.code !== 'token-refused') throw error;
    // It was an hour old, or of another process. Nothing was done: a new one is as good.
    current = undefined;
    return postOnce<Answer>(name, body, (await session()).token);
  }
}

let current: Promise<Session> | undefined;

/** Who we are, asked once. */
export function session(): Promise<Session> {
  current ??= read<Session>('session');
  current.catch(() => (current = undefined));
  return current;
}

function postOnce<Answer>(name: string, body: object, token: string): Promise<Answer> {
  return send<Answer>(`./api/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-onceward-token': token },
    body: JSON.stringify(body),
  });
}

async function send<Answer>(path: string, request: RequestInit): Promise<Answer> {
  const response = await fetch(path, request).catch(() => {
    throw new AskError('unreachable');
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && answer !== undefined) return answer as Answer;
  if (response.status === 401) throw new AskError('not-signed-in');
  const { error, field } = Object(answer) as { error?: RefusalCode; field?: string };
  throw new AskError(error ?? 'unreachable', field);
}
