import { adcp } from './adcp.ts';
import type { Contender } from './contender.ts';
import { dbos } from './dbos.ts';
import { expressIdempotency } from './express-idempotency.ts';
import { nodeIdempotency } from './node-idempotency.ts';
import { oncewardOnPostgres, oncewardOnRedis } from './onceward.ts';
import { powertools } from './powertools.ts';

export const kit: readonly Contender[] = [oncewardOnPostgres, oncewardOnRedis];

export const contenders: readonly Contender[] = [
  ...kit,
  nodeIdempotency,
  expressIdempotency,
  powertools,
  dbos,
  adcp,
];
