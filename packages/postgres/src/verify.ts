import type { Queryable } from './database/database.ts';
import { installedVersion, refuseNewer } from './installed-version.ts';
import { migrations } from './migrations.ts';
import { answer, readAnswers } from './sql/answer.ts';

/** Rejects, naming what to change, unless records can be kept here. */
export async function verify(database: Queryable, schema: string): Promise<void> {
  const installed = await installedVersion(database, schema);
  refuseNewer(installed, schema);
  if (installed < migrations.length) {
    throw new Error(
      `The schema ${schema} is at migration ${installed} of ${migrations.length}: run migrate()`,
    );
  }

  const settings = answer({
    read_only: `current_setting('transaction_read_only') = 'on'`,
    forgetful: `current_setting('synchronous_commit') = 'off'`,
    may_place: `has_function_privilege('${schema}."place"(int8, uuid)', 'execute')`,
  });
  const rows = await database.query(`select ${settings}`);
  const [session] = readAnswers<Session>(rows);
  if (session?.read_only !== false) {
    throw new Error(
      'This PostgreSQL session is read-only: connect to the primary, and check ' +
        'default_transaction_read_only of the role and the database',
    );
  }
  if (session.forgetful) {
    throw new Error(
      'synchronous_commit is off: a crash of the server would forget leases that were granted, ' +
        'and their effects would happen twice. Set it to on for the role of this pool',
    );
  }
  if (!session.may_place) {
    throw new Error(
      `This role may not make partitions in the schema ${schema}, and a key without one would be ` +
        `refused: as the owner of the tables, run select ${schema}.grant_to('…') with its name`,
    );
  }
}

interface Session {
  readonly read_only: boolean;
  readonly forgetful: boolean;
  readonly may_place: boolean;
}
