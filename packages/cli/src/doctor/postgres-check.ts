import type { OpenDatabase } from '../connection/open-database.ts';
import type { DoctorOptions } from './doctor-options.ts';
import type { Examination } from './finding.ts';

/** One question about a PostgreSQL, in a file of its own under `checks/`. */
export interface PostgresCheck {
  readonly name: string;
  /** `tables`: only asked where they are those of this release. */
  readonly needs: 'connection' | 'tables';
  examine(subject: PostgresSubject): Promise<Examination>;
}

export interface PostgresSubject {
  readonly database: OpenDatabase;
  readonly options: DoctorOptions;
  /** The clock of this machine. */
  readonly now: () => number;
}
