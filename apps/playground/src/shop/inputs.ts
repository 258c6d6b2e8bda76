import * as z from 'zod';

/**
 * What a person can write, over several lines if need be.
 *
 * PostgreSQL keeps no NUL, and half a surrogate pair would come back as something else. Refused
 * here, before the key is looked at: later, it would be a failure in the middle of a mutation.
 */
export const text = z
  .string()
  .regex(/^(?:[\t\n\r]|[^\p{Cc}\p{Cs}])*$/u, 'Expected text without control characters');

export const person = text.trim().min(1).max(100);

/** Whole cents, up to a million: no floating point near money. */
export const amountCents = z.int().positive().max(100_000_000);
