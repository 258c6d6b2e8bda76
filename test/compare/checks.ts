import { setTimeout as sleep } from 'node:timers/promises';
import { createKeyMinter, mintKey } from '@onceward/core';
import { bodyOf, type Check, fails, holds } from './check.ts';
import { interruptions } from './interruptions.ts';
import { misuses } from './misuses.ts';

/** Every check, in the order of the table. */
export const checks: readonly Check[] = [
  {
    name: 'concurrent duplicates',
    demand: '20 keys, 8 deliveries of each at once to two servers: each is executed once',
    async run({ first, second, countOf }) {
      const notes = Array.from({ length: 20 }, (_, at) => `concurrent ${at}`);
      await Promise.all(
        notes.map((note) => {
          const [key, body] = [mintKey(), bodyOf(note)];
          const servers = [first, second, first, second, first, second, first, second];
          return Promise.all(servers.map((server) => server.send({ key, body })));
        }),
      );
      let extra = 0;
      for (const note of notes) extra += (await countOf(note)) - 1;
      return extra === 0 ? holds('each once') : fails(`${extra} of 140 duplicates executed`);
    },
  },
  {
    name: 'retry',
    demand: 'sent again to another server after a success: the same answer, nothing is executed',
    async run({ first, second, countOf }, key) {
      const body = bodyOf('retry');
      const { receipt } = await first.send({ key, body });
      await sleep(savedMs);
      const again = await second.send({ key, body });
      if ((await countOf('retry')) > 1) return fails('executed again');
      return again.receipt === receipt
        ? holds('replayed')
        : fails(`another answer, ${again.status}`);
    },
  },
  {
    name: 'reordered JSON',
    demand: 'the retry has the members of its body in another order: still the same request',
    async run({ first, countOf }, key) {
      const { receipt } = await first.send({ key, body: '{"note":"order","cents":1,"to":"bob"}' });
      await sleep(savedMs);
      const again = await first.send({ key, body: '{ "to":"bob", "cents":1, "note":"order" }' });
      if ((await countOf('order')) > 1) return fails('executed again');
      return again.receipt === receipt ? holds('replayed') : fails(`refused, ${again.status}`);
    },
  },
  ...misuses,
  ...interruptions,
  {
    name: 'spoofed marker',
    demand: 'a first request claims to be a replay: it is executed and answered all the same',
    async run({ first, countOf }, key) {
      const headers = { 'x-hit': 'true', 'idempotent-replayed': 'true' };
      const { receipt, status } = await first.send({ key, body: bodyOf('spoofed'), headers });
      if ((await countOf('spoofed')) === 0) return fails(`never executed, ${statusText(status)}`);
      return receipt ? holds('ignored') : fails(statusText(status));
    },
  },
  {
    name: 'secrets at rest',
    demand: 'a request with a token and a cookie: neither is in the database afterwards',
    async run({ first, atRest }, key) {
      const headers = { authorization: 'Bearer alice_canary', cookie: 'session=canary' };
      await first.send({ key, body: bodyOf('secrets'), headers, user: 'alice' });
      await sleep(savedMs);
      const stored = await atRest();
      const found = [
        ...(stored.includes('Bearer alice_canary') ? ['the token'] : []),
        ...(stored.includes('session=canary') ? ['the cookie'] : []),
      ];
      return found.length === 0 ? holds('not stored') : fails(`${found.join(' and ')} in clear`);
    },
  },
  {
    name: 'late key',
    demand: 'a key of last month, which may have been executed and forgotten: refused',
    async run({ first, countOf }) {
      const key = createKeyMinter({ now: () => Date.now() - 30 * 86_400_000 })();
      const { status } = await first.send({ key, body: bodyOf('late') });
      return (await countOf('late')) === 0 ? holds(`refused, ${status}`) : fails('executed');
    },
  },
];

/** Some save an answer after it was sent; that is not what these checks are about. */
const savedMs = 150;

function statusText(status: number): string {
  return status === 0 ? 'no answer' : `${status}`;
}
