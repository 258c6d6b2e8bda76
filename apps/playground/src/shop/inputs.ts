import * as z from 'zod';

export const person = z.string().trim().min(1).max(100);

/** Whole cents, up to a million: no floating point near money. */
export const amountCents = z.int().positive().max(100_000_000);
