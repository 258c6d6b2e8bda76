import type { Reservation, ReserveRequest } from '@onceward/core/store';
import { attemptTtlMs, packFirstAttempt, unpackRecord } from '../record-format.ts';
import { recordKey } from '../record-key.ts';
import { RedisStoreError } from '../redis-store-error.ts';
import type { ResolvedRedisStoreOptions } from '../redis-store-options.ts';
import { runScript, Script } from '../script.ts';
import { notReplicated, send } from '../send.ts';
import { isBeyondHorizon, refusal } from './refusal.ts';
import { release } from './release.ts';
import { takeOver } from './take-over.ts';

/** Takes a record that nobody has, or says why not. */
export async function reserve(
  request: ReserveRequest,
  redis: ResolvedRedisStoreOptions,
): Promise<Reservation> {
  try {
    return await decide(request, redis);
  } catch (error) {
    if (error instanceof RedisStoreError && error.code === notReplicated) {
      // Granted on a server that may be about to lose it. Should this fail too, the lease runs
      // out by itself; the caller gets the real error and executes nothing.
      await release(request, { ...redis, replicated: redis.plain }).catch(() => undefined);
    }
    throw error;
  }
}

async function decide(
  request: ReserveRequest,
  redis: ResolvedRedisStoreOptions,
): Promise<Reservation> {
  const key = recordKey(request, redis.prefix);
  const firstAttempt = packFirstAttempt(request);
  for (let look = 0; look < 5; look++) {
    const found = isBeyondHorizon(request)
      ? ((await send(['get', key], redis.client)) ?? 'expired')
      : await createOrRead(key, firstAttempt, redis);
    if (found === 'expired') return { kind: 'expired' };
    if (found === null) return reserved(request, firstTime);

    const refused = refusal(unpackRecord(found as Buffer), request);
    if (refused) return refused;
    const answer = await takeOver(key, firstAttempt, redis);
    if (answer.kind === 'reserved') return reserved(request, answer);
    if (answer.kind !== 'look-again') return answer;
  }
  // It changed under us every time, so others are at work on it.
  return { kind: 'in-progress', retryAfterMs: 100 };
}

/** Both common cases at once: `null` when we created the record, else what is there. */
async function createOrRead(
  key: string,
  firstAttempt: Buffer,
  redis: ResolvedRedisStoreOptions,
): Promise<unknown> {
  try {
    return await runScript(script, { key, args: [firstAttempt] }, redis);
  } catch (error) {
    if (!(error instanceof RedisStoreError) || error.code !== 'OOM') throw error;
    // A full server starts nothing new, but what it remembers it can still replay.
    const existing = await send(['get', key], redis.client);
    if (existing === null) throw error;
    return existing;
  }
}

const firstTime = { attempt: 1, progress: new Uint8Array() };

/** Of SET: creates a record that nobody has, and says what is there already. */
const createOrGet = ['NX', 'GET', 'PX', String(attemptTtlMs)];

const script = new Script(
  `return redis.pcall('SET', KEYS[1], ARGV[1], '${createOrGet.join("', '")}')`,
  {
    whenFull: 'deny',
    alone: ({ key, args: [firstAttempt = ''] }) => ['set', key, firstAttempt, ...createOrGet],
  },
);

function reserved(
  { scope, key, keyTimestampMs, token }: ReserveRequest,
  { attempt, progress }: { attempt: number; progress: Uint8Array },
): Reservation {
  return { kind: 'reserved', lease: { scope, key, keyTimestampMs, token }, attempt, progress };
}
