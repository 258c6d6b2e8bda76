import { setTimeout as sleep } from 'node:timers/promises';
import { bodyOf, type Check, fails, holds, times } from './check.ts';
import { type Answer, leaseMs } from './instance.ts';

/** Deliveries that something comes between. */
export const interruptions: readonly Check[] = [
  {
    name: 'in progress',
    demand: 'a duplicate while the first is executed: refused, and told when to come back',
    async run({ first, second, countOf, until }, key) {
      await first.behave('wait');
      const body = bodyOf('progress');
      const running = first.send({ key, body });
      await until('executed', 'progress');
      const duplicate = await second.send({ key, body });
      first.goOn();
      await running;
      await first.behave('answer');
      if ((await countOf('progress')) > 1) return fails('executed twice');
      const retryAfter = duplicate.headers.get('retry-after');
      if (duplicate.status === 0) return fails('no answer while it runs');
      return retryAfter
        ? holds(`${duplicate.status}, Retry-After: ${retryAfter}`)
        : fails(`${duplicate.status} without Retry-After`);
    },
  },
  {
    name: 'store down',
    demand: 'the database cannot be reached: nothing is executed, and the client is told so',
    async run({ another, countOf }, key) {
      await using server = await another();
      server.cutStore();
      const { status } = await server.send({ key, body: bodyOf('store down') });
      const count = await countOf('store down');
      if (count > 0) return fails(`executed ${times(count)}, ${answerText(status)}`);
      return status === 0 ? fails('not executed, no answer') : holds(`refused, ${status}`);
    },
  },
  {
    name: 'crash',
    demand:
      'a server dies with kill -9 after the effect: a retry executes nothing, and is told that nobody knows',
    async run({ another, second, countOf, until }, key) {
      await using server = await another();
      await server.behave('wait');
      const body = bodyOf('crash');
      void server.send({ key, body });
      await until('executed', 'crash');
      await server.kill();
      await sleep(leaseMs * 2);
      const retry = await second.send({ key, body });
      if ((await countOf('crash')) > 1) return fails('executed twice');
      if (retry.text.includes('IDEMPOTENCY_OUTCOME_UNKNOWN')) return holds('outcome unknown, 409');
      return fails(
        retry.status === 0 ? 'blocked, no answer' : `blocked as in progress, ${retry.status}`,
      );
    },
  },
  {
    name: 'slow owner',
    demand:
      'a server stands still for longer than its lease, another one executes and answers: the late result replaces nothing',
    async run({ another, second, countOf, until }, key) {
      await using slow = await another();
      await slow.behave('wait');
      const [body, operation] = [bodyOf('slow'), 'rename'];
      const late = slow.send({ key, body, operation });
      await until('executed', 'slow');
      slow.freeze();
      await sleep(leaseMs * 2);
      const overtaking = await second.send({ key, body, operation });
      slow.thaw();
      slow.goOn();
      await late;
      await sleep(300);
      const replay = await second.send({ key, body, operation });
      if ((await countOf('slow')) === 1)
        return fails(`nobody overtakes, ${answerText(overtaking.status)}`);
      if (replay.receipt === overtaking.receipt) return holds('fenced off');
      return fails('the answer given is replaced by the late one');
    },
  },
  {
    name: 'failure after the effect',
    demand: 'a mutation takes effect and then throws: a retry does not execute it again',
    async run({ first, countOf }, key) {
      await first.behave('fail');
      const body = bodyOf('failure');
      await first.send({ key, body });
      await first.behave('answer');
      const retry = await first.send({ key, body });
      const count = await countOf('failure');
      if (count > 1) return fails(`executed ${times(count)}`);
      return holds(outcomeText(retry));
    },
  },
  {
    name: 'client disconnects',
    demand: 'the client hangs up while it is executed: the retry gets the answer',
    async run({ first, countOf, until }, key) {
      await first.behave('wait');
      const body = bodyOf('disconnect');
      const hangUp = new AbortController();
      const given = first.send({ key, body, signal: hangUp.signal });
      await until('executed', 'disconnect');
      hangUp.abort();
      await given;
      first.goOn();
      await until('finished', 'disconnect');
      await first.behave('answer');
      let retry = await first.send({ key, body });
      for (let tries = 0; tries < 10 && !retry.receipt; tries++) {
        await sleep(100);
        retry = await first.send({ key, body });
      }
      if ((await countOf('disconnect')) > 1) return fails('executed twice');
      return retry.receipt ? holds('replayed') : fails(`blocked, ${answerText(retry.status)}`);
    },
  },
];

function answerText(status: number): string {
  return status === 0 ? 'no answer' : `${status}`;
}

function outcomeText({ text, status }: Answer): string {
  if (text.includes('IDEMPOTENCY_OUTCOME_UNKNOWN')) return `outcome unknown, ${status}`;
  return status === 0 ? 'blocked, no answer' : `not executed, ${status}`;
}
