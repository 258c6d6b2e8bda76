import { mintKey } from '@onceward/core';
import { redisStore } from '@onceward/redis';
import { createEngine } from '@onceward/server';
import type { Store } from '@onceward/core/store';
import { Redis } from 'ioredis';
import { expect, inject, test } from 'vitest';
import { interceptedClient } from '../../packages/redis/test/intercepted-client.ts';
import { openPostgres } from '../support/open-postgres.ts';
import { openWire } from '../support/postgres-wire.ts';
import { openBank } from './open-bank.ts';

/*
 * Whether a key of somebody else exists shows in nothing: not in the answer, and not in the work
 * that is done for it. Work is counted: the same statements in the same number take the same time,
 * on a busy machine as on an idle one. And it is timed, in pairs, so that it does not matter how busy
 * the machine is.
 */

test('S2: a key that somebody else has used is answered like one that nobody has', async () => {
  await using bank = await openBank();
  bank.handle = () => 'paid';
  const taken = mintKey();
  await bank.send({ user: 'alice', key: taken });
  const foreign = await bank.send({ user: 'mallory', key: taken });
  const fresh = await bank.send({ user: 'mallory', key: mintKey() });

  expect(foreign.status).toBe(fresh.status);
  expect(foreign.text).toBe(fresh.text);
  expect(namesOf(foreign.headers)).toEqual(namesOf(fresh.headers));
});

test('S2: a reused key is refused with the same bytes whatever was stored for it', async () => {
  await using bank = await openBank();
  const refusals: string[] = [];
  for (const secret of ['short', 'a much longer secret '.repeat(50)]) {
    bank.handle = () => ({ secret });
    const key = mintKey();
    await bank.send({ key, input: { secret } });
    const refused = await bank.send({ key, input: { guess: 1 } });
    expect(refused.status).toBe(422);
    refusals.push(refused.text);
  }
  expect(refusals[0]).toBe(refusals[1]);
  expect(refusals[0]).not.toContain('secret');
});

test('S2: PostgreSQL does the same work for a foreign key as for a fresh one', async () => {
  await using database = await openPostgres();
  await using wire = await openWire(database.url);
  const store = database.store({ connectionString: wire.url, max: 1 });
  const statements: string[] = [];
  wire.onSending = ({ texts }) => {
    statements.push(...texts);
    return 'arrives';
  };
  const work = async (pay: () => Promise<unknown>) => {
    wire.reset();
    statements.length = 0;
    await pay();
    return { roundTrips: wire.roundTrips, statements: [...statements] };
  };
  await expectEqualWork(store, work);
});

test('S2: Redis does the same work for a foreign key as for a fresh one', async () => {
  const redis = new Redis(inject('redisUrl'));
  try {
    const commands: unknown[][] = [];
    const client = interceptedClient(redis, ([command, ...args], send) => {
      // Names and values differ; what is done, and how much is sent, does not.
      commands.push([command, ...args.map((arg) => Buffer.byteLength(String(arg)))]);
      return send(command, ...args);
    });
    const store = redisStore(client, { prefix: `oracle-${mintKey()}:` });
    const work = async (pay: () => Promise<unknown>) => {
      commands.length = 0;
      await pay();
      return commands.map(([command, ...lengths]) => [command, lengths.length]);
    };
    await expectEqualWork(store, work);
  } finally {
    redis.disconnect();
  }
});

test.for(['PostgreSQL', 'Redis'])(
  'S2: with %s, a foreign key takes as long as a fresh one',
  async (name) => {
    await using database = await openPostgres();
    const redis = new Redis(inject('redisUrl'));
    try {
      const store: Store =
        name === 'Redis'
          ? redisStore(redis, { prefix: `timing-${mintKey()}:` })
          : database.store({ max: 1 });
      const pay = createEngine({ store, acceptLoss: true }).mutation({
        operation: 'pay',
        effect: 'external',
      });
      const run = (scope: string, key: string) => pay.runOnce({ scope, key }, () => 'paid');
      const taken = Array.from({ length: 200 }, () => mintKey());
      for (const key of taken) await run('alice', key);

      const foreign = await timesSlower(taken, (key) => run('mallory', key), run);
      expect(Math.abs(foreign)).toBeLessThan(notByChance);
      // The same keys once more are replays, with half the work: such a difference is seen.
      const known = await timesSlower(taken, (key) => run('mallory', key), run);
      expect(known).toBeLessThan(-notByChance);
    } finally {
      redis.disconnect();
    }
  },
);

/** In standard deviations of a fair coin: once in more than a hundred thousand runs. */
const notByChance = 4.5;

/** How much more often a key takes longer than a fresh one right beside it. */
async function timesSlower(
  keys: readonly string[],
  known: (key: string) => Promise<unknown>,
  run: (scope: string, key: string) => Promise<unknown>,
): Promise<number> {
  let slower = 0;
  for (const [at, key] of keys.entries()) {
    const fresh = mintKey();
    const pair = [() => known(key), () => run('mallory', fresh)];
    // Neither is always the first.
    const order = at % 2 === 0 ? [0, 1] : [1, 0];
    const ms = [0, 0];
    for (const which of order) {
      const startedAt = performance.now();
      await pair[which]?.();
      ms[which] = performance.now() - startedAt;
    }
    if ((ms[0] ?? 0) > (ms[1] ?? 0)) slower++;
  }
  return (slower - keys.length / 2) / Math.sqrt(keys.length / 4);
}

/** Compares what is done for a key that nobody has used with what is done for Alice's. */
async function expectEqualWork(
  store: Store,
  work: (pay: () => Promise<unknown>) => Promise<unknown>,
): Promise<void> {
  const pay = createEngine({ store, acceptLoss: true }).mutation({
    operation: 'pay',
    effect: 'external',
  });
  const run = (scope: string, key: string) => pay.runOnce({ scope, key }, () => 'paid');
  // The first ones also open connections and prepare statements.
  await run('alice', mintKey());
  await run('mallory', mintKey());
  const taken = mintKey();
  await run('alice', taken);

  const fresh = await work(() => run('mallory', mintKey()));
  const foreign = await work(() => run('mallory', taken));
  expect(foreign).toEqual(fresh);
}

function namesOf(headers: Headers): string[] {
  return [...headers.keys()];
}
