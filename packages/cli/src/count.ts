import { InvalidArgumentError } from 'commander';

/** Reads a count: digits, and at least one. */
export function parseCount(text: string): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count > 0) return count;
  throw new InvalidArgumentError('Expected a whole number from 1 on.');
}
