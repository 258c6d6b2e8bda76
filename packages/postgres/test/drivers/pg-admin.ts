import { openPool } from '../open-schema.ts';
import type { Admin } from './atomic-driver.ts';

/** Looks from outside through `pg`. */
export function openPgAdmin(): Admin & AsyncDisposable {
  const pool = openPool({ max: 4 });
  return {
    driver: pool,
    query: (text, values) => pool.query(text, values),
    [Symbol.asyncDispose]: () => pool.end(),
  };
}
