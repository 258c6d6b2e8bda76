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
