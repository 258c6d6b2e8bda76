import type { Operator } from '@onceward/console';
import { isIP } from 'node:net';

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
 * Only under an address that is no name: any site can point a name of its own at this machine, and
 * its pages would then be of the console's origin.
 *
 * A real one looks at the session, and says no.
 */
export function demoOperator({ headers }: Pick<Request, 'headers'>): Operator | null {
  const [, host = ''] = /^(.*?)(?::\d+)?$/.exec(headers.get('host') ?? '') ?? [];
  if (host !== 'localhost' && !isIP(host.replace(/^\[(.*)\]$/, '$1'))) return null;
  return { name: 'demo operator', may: ['read', 'settle', 'payloads'] };
}
