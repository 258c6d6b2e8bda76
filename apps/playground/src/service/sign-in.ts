import type { Operator } from '@onceward/console';

/** What those who are not signed in are told. */
export const signInHint = 'Sign in: authorization: Bearer <name>';

/**
 * Who sends a request: whoever it says. `authorization: Bearer alice` is alice.
 *
 * Only a demo can sign people in like this. What matters here is that the name comes from the
 * same place as a real one, and never from the input of a mutation.
 */
export function signedInUser(headers: Headers): string | null {
  const [, name = null] = /^Bearer +(\S.{0,99})$/i.exec(headers.get('authorization') ?? '') ?? [];
  return name;
}

/**
 * Who looks at the console: whoever it is, with every right. A browser sends no name with the address
 * of a page, and there is nothing here that its visitors have not made up themselves.
 *
 * A real one looks at the session, and says no.
 */
export function demoOperator(): Operator {
  return { name: 'demo operator', may: ['read', 'settle', 'payloads'] };
}
