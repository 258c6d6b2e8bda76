import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena } from './arena.ts';
import { bodyOf, type Check, fails, type Finding, holds, times } from './check.ts';

/** Keys that are used for something else than the first time, and answers that are easy to lose. */
export const misuses: readonly Check[] = [
  {
    name: 'second user',
    demand: 'another user sends the same key and body: an execution and an answer of their own',
    async run({ first, countOf }, key) {
      const body = bodyOf('users');
      const alice = await first.send({ key, body, user: 'alice' });
      await sleep(savedMs);
      const bob = await first.send({ key, body, user: 'bob' });
      if (bob.receipt === alice.receipt) return fails('gets the first user’s answer');
      if ((await countOf('users')) === 2 && bob.receipt?.endsWith('bob')) return holds('their own');
      return fails(`refused, ${bob.status}`);
    },
  },
  {
    name: 'empty answer',
    demand: 'a mutation that answers nothing is sent again: nothing is executed',
    async run({ first, countOf }, key) {
      await first.behave('answer-nothing');
      const body = bodyOf('empty');
      await first.send({ key, body });
      await sleep(savedMs);
      await first.send({ key, body });
      await first.behave('answer');
      const count = await countOf('empty');
      return count === 1 ? holds('replayed') : fails(`executed ${times(count)}`);
    },
  },
  {
    name: 'wrong body',
    demand: 'another body under a key that succeeded: refused, and the honest retry still replays',
    run: (arena, key) =>
      sendTwo(arena, { key, note: 'body', one: '"cents":1', other: '"cents":2' }),
  },
  {
    name: 'wrong type',
    demand: '`1` becomes `"1"` under the same key: refused',
    run: (arena, key) =>
      sendTwo(arena, { key, note: 'type', one: '"cents":1', other: '"cents":"1"' }),
  },
  {
    name: 'hidden member',
    demand: 'a member called `__proto__` is added under the same key: refused',
    run: (arena, key) =>
      sendTwo(arena, {
        ...{ key, note: 'proto', one: '"cents":1' },
        other: '"cents":1,"__proto__":{"to":"mallory"}',
      }),
  },
  {
    name: 'other operation',
    demand:
      'the key of a payment comes with a refund: refused, or executed, but never the receipt of the payment',
    async run({ first, countOf }, key) {
      const body = bodyOf('operation');
      const payment = await first.send({ key, body, operation: 'pay' });
      await sleep(savedMs);
      const refund = await first.send({ key, body, operation: 'refund' });
      if (refund.receipt === payment.receipt)
        return fails('the refund is answered with the payment');
      const executed = (await countOf('operation')) === 2;
      return holds(executed ? 'executed' : `refused, ${refund.status}`);
    },
  },
  {
    name: 'no key',
    demand: 'a mutation that is to happen once comes without a key: refused',
    async run({ first, countOf }) {
      const { status } = await first.send({ body: bodyOf('no key') });
      return (await countOf('no key')) === 0 ? holds(`refused, ${status}`) : fails('executed');
    },
  },
];

const savedMs = 150;

async function sendTwo(
  { first, countOf }: Arena,
  { key, note, one, other }: { key: string; note: string; one: string; other: string },
): Promise<Finding> {
  const body = `{"note":"${note}",${one}}`;
  const { receipt } = await first.send({ key, body });
  await sleep(savedMs);
  const wrong = await first.send({ key, body: `{"note":"${note}",${other}}` });
  const honest = await first.send({ key, body });
  if ((await countOf(note)) > 1) return fails('executed');
  if (wrong.receipt === receipt) return fails('answered with the first answer');
  if (honest.receipt !== receipt) return fails(`the honest retry gets ${honest.status}`);
  return holds(`refused, ${wrong.status}`);
}
