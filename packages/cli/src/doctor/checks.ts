import { autovacuum } from './checks/autovacuum.ts';
import { clock } from './checks/clock.ts';
import { connections } from './checks/connections.ts';
import { deadJobs } from './checks/dead-jobs.ts';
import { fsync } from './checks/fsync.ts';
import { idleInTransaction } from './checks/idle-in-transaction.ts';
import { isolation } from './checks/isolation.ts';
import { leaseMargin } from './checks/lease-margin.ts';
import { openTransactions } from './checks/open-transactions.ts';
import { partitionsAhead } from './checks/partitions-ahead.ts';
import { partitionsDue } from './checks/partitions-due.ts';
import { readOnly } from './checks/read-only.ts';
import { redisEviction } from './checks/redis-eviction.ts';
import { redisPersistence } from './checks/redis-persistence.ts';
import { redisRole } from './checks/redis-role.ts';
import { redisVersion } from './checks/redis-version.ts';
import { rights } from './checks/rights.ts';
import { schemaVersion } from './checks/schema-version.ts';
import { staleLeases } from './checks/stale-leases.ts';
import { synchronousCommit } from './checks/synchronous-commit.ts';
import { transactionPooling } from './checks/transaction-pooling.ts';
import { unknownOutcomes } from './checks/unknown-outcomes.ts';
import { waitingJobs } from './checks/waiting-jobs.ts';
import type { PostgresCheck } from './postgres-check.ts';
import type { RedisCheck } from './redis-check.ts';

/** Every question about PostgreSQL, in the order they are asked. The first decides about the rest. */
export const postgresChecks: readonly [PostgresCheck, ...PostgresCheck[]] = [
  schemaVersion,
  rights,
  readOnly,
  synchronousCommit,
  fsync,
  clock,
  isolation,
  idleInTransaction,
  connections,
  transactionPooling,
  openTransactions,
  autovacuum,
  partitionsAhead,
  partitionsDue,
  staleLeases,
  unknownOutcomes,
  leaseMargin,
  waitingJobs,
  deadJobs,
];

export const redisChecks: readonly RedisCheck[] = [
  redisVersion,
  redisRole,
  redisEviction,
  redisPersistence,
];
