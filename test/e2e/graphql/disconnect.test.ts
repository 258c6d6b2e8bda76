import { mintKey } from '@onceward/core';
import { useExecutionCancellation } from 'graphql-yoga';
import { expect, test } from 'vitest';
import { deferred } from '../../support/deferred.ts';
import { openPostgres } from '../../support/open-postgres.ts';
import { servePayments } from './payments.ts';
import { listen } from './serve-payments.ts';

test.each([
  ['', []],
  [', also where executions are cancelled then', [useExecutionCancellation()]],
])('a mutation whose client leaves runs to its end%s', async (_, plugins) => {
  await using database = await openPostgres();
  const started = deferred();
  const finish = deferred();
  const completed = deferred();
  const yoga = servePayments(database, {
    plugins,
    idempotency: { probe: (point) => void (point === 'after-complete' && completed.resolve()) },
    inHandler: () => (started.resolve(), finish.promise),
  });
  await using server = await listen(yoga);
  const key = mintKey();
  const send = (signal?: AbortSignal) =>
    fetch(server.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ query: 'mutation { notify(cents: 1) { id } }' }),
      signal: signal ?? null,
    });

  const leaving = new AbortController();
  const lost = send(leaving.signal);
  await started.promise;
  leaving.abort();
  await expect(lost).rejects.toThrow();
  // The next request is served, so the server has seen the other one end.
  const meanwhile = await send();
  expect(meanwhile.status).toBe(409);
  finish.resolve();
  await completed.promise;

  const again = await send();
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(await again.json()).toMatchObject({ data: { notify: { id: 'notify 1' } } });
  expect(await database.effects('notify 1')).toBe(1);
});
