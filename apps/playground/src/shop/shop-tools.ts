import type { PostgresStore } from '@onceward/postgres';
import type pg from 'pg';

/** What both APIs of the shop are made of. */
export interface ShopTools {
  /** Keeps the keys, and opens the transactions of atomic mutations. */
  readonly store: PostgresStore<pg.PoolClient>;
  /** The way to the systems outside. */
  readonly outside: pg.Pool;
  /** How long a server may work on a key before another may take over. */
  readonly leaseMs: number;
  /** Names this process, for those who watch it come and go. */
  readonly server: string;
}
