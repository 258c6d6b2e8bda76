import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { freePort } from '../ports/free-port.ts';
import { listen } from '../ports/listen.ts';
import { untilDatabaseAnswers } from './until-database-answers.ts';

const never = new AbortController().signal;

test('a database that is not yet there is waited for', async () => {
  const url = new URL(inject('postgresUrl'));
  const [host, port] = [url.hostname, Number(url.port)];
  url.port = String(await freePort());
  let answered = false;
  const waiting = untilDatabaseAnswers(url.href, { patienceMs: 20_000, stopping: never }).then(
    () => (answered = true),
  );
  await pause(100);
  expect(answered).toBe(false);

  const door = createServer((socket) => {
    const database = connect(port, host);
    socket.pipe(database).pipe(socket);
    for (const end of [socket, database]) end.on('error', () => end.destroy());
  });
  await listen(door, Number(url.port), '127.0.0.1');
  await waiting;
  door.close();
});

test('when the patience is over, the reason is told', async () => {
  const url = `postgres://postgres@127.0.0.1:${await freePort()}/postgres`;
  const waiting = untilDatabaseAnswers(url, { patienceMs: 100, stopping: never });
  await expect(waiting).rejects.toThrow('ECONNREFUSED');
});

test('nobody waits any longer once the playground stops', async () => {
  const url = `postgres://postgres@127.0.0.1:${await freePort()}/postgres`;
  const stopping = AbortSignal.timeout(100);
  const waiting = untilDatabaseAnswers(url, { patienceMs: 20_000, stopping });
  await expect(waiting).rejects.toThrow('aborted');
});
