import type pg from 'pg';

/** Faults that strike one attempt of a key, so that the next one can get through. */
export type SingleFault = 'status' | 'drop' | 'crash';

/**
 * Remembers which faults have struck, also through the crashes they cause.
 *
 * In the database, but never in the transaction of a mutation: that would forget a crash.
 */
export interface FaultMemory {
  /** Whether it is the first time for any of these keys. Never, for a request without a key. */
  isFirst(fault: SingleFault, user: string, keys: readonly string[]): Promise<boolean>;
}

export function createFaultMemory(pool: pg.Pool): FaultMemory {
  return {
    async isFirst(fault, user, keys) {
      const { rowCount } = await pool.query(
        `insert into faults_done (user_name, key, fault)
         select $1::text, key, $3::text from unnest($2::text[]) as key
             on conflict do nothing`,
        [user, keys, fault],
      );
      return rowCount !== 0;
    },
  };
}
