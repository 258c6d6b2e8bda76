import { Refusal } from '../answers/refusal.ts';
import type { ResolvedConsole } from '../console-options.ts';
import type { AdmittedOperator, Permission } from '../guards/operator.ts';

/** A request that was let in. */
export interface Call {
  readonly operator: AdmittedOperator;
  readonly resolved: ResolvedConsole;
  readonly searchParams: URLSearchParams;
  /** Of a POST; empty for a GET. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Endpoint {
  /** Keys are no part of an address, so whatever names a record is a POST, too. */
  readonly method: 'GET' | 'POST';
  readonly needs: Permission;
  readonly run: (call: Call) => Promise<object>;
}

/** A text of the body that says something. */
export function textOf({ body }: Call, field: string, maxLength: number): string {
  const text = body[field];
  if (typeof text === 'string' && text.trim() !== '' && text.length <= maxLength) {
    // PostgreSQL keeps neither NUL nor half a surrogate pair.
    if (!/[\0\p{Surrogate}]/u.test(text)) return text;
  }
  throw new Refusal(400, 'bad-request', field);
}
