import { PGlite } from '@electric-sql/pglite';
import { afterAll, expect, test, vi } from 'vitest';
import { deferred } from '../../../../test/support/deferred.ts';
import { tasks } from '../../test/open-outbox.ts';
import { postgresInbox } from '../inbox/postgres-inbox.ts';
import { migrate } from '../migrate.ts';
import { postgresJobs } from './postgres-jobs.ts';
import { postgresOutbox } from './postgres-outbox.ts';
import { createRelay } from './relay/relay.ts';

const pglite = new PGlite();
afterAll(() => pglite.close());

test('an outbox, its relay and an inbox work on PGlite', async () => {
  await migrate(pglite);
  await pglite.query('create table effects (effect text not null)');
  const outbox = postgresOutbox(pglite, { tasks });
  const inbox = postgresInbox(pglite, { source: 'stripe' });
  const shipped = deferred<string>();
  const events: string[] = [];
  const relay = createRelay({
    outbox,
    handlers: {
      pay: {
        transaction: ({ tx, payload: { cents } }) =>
          tx.query('insert into effects values ($1)', [`paid ${cents}`]),
      },
      ship: ({ payload: { lane } }) => shipped.resolve(lane),
    },
    pollMs: 3_600_000,
    onEvent: ({ kind }) => void events.push(kind),
  });
  relay.start();
  await vi.waitFor(() => expect(events).toContain('listening-started'), 10_000);

  const delivery = await inbox.processOnce('evt_1', async ({ tx }) => {
    await outbox.enqueue(tx, 'pay', { cents: 1 });
    await outbox.enqueue(tx, 'ship', { lane: 'a', parcel: 1 });
  });
  expect(delivery.kind).toBe('processed');
  expect(await shipped.promise).toBe('a');
  await vi.waitFor(() => expect(events.filter((kind) => kind === 'job-done')).toHaveLength(2));
  expect((await pglite.query('select * from effects')).rows).toEqual([{ effect: 'paid 1' }]);
  expect(await inbox.processOnce('evt_1', () => expect.unreachable())).toMatchObject({
    kind: 'duplicate',
  });
  expect(await postgresJobs(pglite).counts()).toMatchObject([
    { task: 'pay', state: 'done', jobs: 1 },
    { task: 'ship', state: 'done', jobs: 1 },
  ]);
  await relay.stop();
});

test('a job through the database itself, and not through a transaction of it, is refused', async () => {
  const outbox = postgresOutbox(pglite, { tasks });
  const enqueuing = outbox.enqueue(pglite as never, 'pay', { cents: 1 });
  await expect(enqueuing).rejects.toThrow(/got the driver it is opened with/);
});
