import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AdmittedOperator } from './operator.ts';

/** What the page sends back with everything it posts. */
export const tokenHeader = 'x-onceward-token';

/** Tokens that only the page of one operator, in one session, can have read. */
export interface CsrfTokens {
  issue(operator: AdmittedOperator): string;
  accepts(token: string | null, operator: AdmittedOperator): boolean;
}

/**
 * A token is `expiry.signature`, so that nothing has to be kept.
 *
 * Without a secret it is a new one for each process: a page that was answered by one of several gets
 * another token when it is refused, from whichever answers then.
 */
export function csrfTokens(secret: string | undefined, now: () => number): CsrfTokens {
  const key = secret ?? randomBytes(32);
  const sign = ({ name, session }: AdmittedOperator, expiresAt: number): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify(['onceward console', name, session, expiresAt]))
      .digest();
  return {
    issue(operator) {
      const expiresAt = now() + validMs;
      return `${expiresAt}.${sign(operator, expiresAt).toString('base64url')}`;
    },
    accepts(token, operator) {
      const [, digits = '', signature = ''] = /^(\d{1,15})\.([\w-]{43})$/.exec(token ?? '') ?? [];
      const expiresAt = Number(digits);
      const given = Buffer.from(signature, 'base64url');
      const expected = sign(operator, expiresAt);
      if (given.length !== expected.length) return false;
      return timingSafeEqual(given, expected) && expiresAt > now();
    },
  };
}

const validMs = 60 * 60_000;
