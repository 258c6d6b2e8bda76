import { keysIn } from '../faults/keys-in-headers.ts';
import type { Queryable } from '../shop/queryable.ts';

/** What the server writes down about one request while it works on it. */
export interface Sighting {
  /** Its handler has run, and nothing is confirmed yet. */
  executing(): Promise<void>;
  answered(answer: Response): Promise<void>;
}

/** Writes down, for the page, what the server sees of requests that carry `x-sighting: <uuid>`. */
export interface Sightings {
  arrive(headers: Headers, user: string): Promise<Sighting>;
}

/**
 * In the database, apart from any transaction of a mutation: a server that is killed cannot be
 * asked any more what it had seen.
 *
 * @param server names this process: what another one left unanswered died with it
 */
export function createSightings(database: Queryable, server: string): Sightings {
  return {
    async arrive(headers, user) {
      const [id] = keysIn([headers.get('x-sighting') ?? '']);
      if (!id) return unseen;
      await database.query(
        `insert into sightings (id, user_name, server) values ($1::uuid, $2::text, $3::text)
             on conflict (id) do nothing`,
        [id, user, server],
      );
      return {
        async executing() {
          await database.query(`update sightings set executing = true where id = $1::uuid`, [id]);
        },
        async answered({ status, headers: answered }) {
          await database.query(
            `update sightings set status = $2::int, replayed = $3::boolean where id = $1::uuid`,
            [id, status, answered.has('idempotent-replayed')],
          );
        },
      };
    },
  };
}

const unseen: Sighting = { executing: async () => {}, answered: async () => {} };
