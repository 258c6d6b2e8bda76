import { again, bytes, newRequest, success } from '@onceward/conformance/requests';
import type { Completion } from '@onceward/core/store';
import { expect, test } from 'vitest';
import { type OpenCli, openCli } from '../../test/open-cli.ts';

const failure: Completion = {
  outcome: { kind: 'failure', answer: bytes('card declined') },
  answerRetentionMs: 60_000,
};
const reason = ['--reason', 'the bank was down'];

async function openCompleted(cli: OpenCli, completion: Completion) {
  const request = newRequest();
  await cli.store.reserve(request);
  await cli.store.complete(request, completion);
  return request;
}

test('a stored failure is freed without a question, and written down', async () => {
  await using cli = await openCli();
  const request = await openCompleted(cli, failure);
  const { code, json } = await cli.run('bust', request.key, ...reason, '--json');
  expect(code).toBe(0);
  expect(json).toMatchObject({ key: request.key, result: 'busted' });
  expect(await cli.operator.show(request)).toMatchObject({
    state: 'released',
    audit: [{ actor: 'ada', action: 'bust', evidence: { reason: 'the bank was down' } }],
  });
  const again = await cli.run('bust', request.key, ...reason);
  expect(again).toMatchObject({ code: 1, stdout: '' });
  expect(again.stderr).toContain('its next delivery is executed anyway');
});

test('what took effect stays, unless it may happen a second time', async () => {
  await using cli = await openCli();
  const request = await openCompleted(cli, success());
  const bust = ['bust', request.key, ...reason];
  const refused = await cli.run(...bust);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('--even-if-executed');

  // Nobody is there to be asked.
  const unattended = await cli.run(...bust, '--even-if-executed');
  expect(unattended.code).toBe(2);
  expect(unattended.stderr).toContain('--yes');
  const questions: string[] = [];
  const answering = (answer: string) => ({
    ask: async (question: string) => {
      questions.push(question);
      return answer;
    },
  });
  for (const answer of ['', 'no', 'y']) {
    const { code } = await cli.runWith(answering(answer), ...bust, '--even-if-executed');
    expect(code).toBe(1);
  }
  expect(await cli.store.find(request)).toMatchObject({ state: 'completed' });
  expect(questions[0]).toContain('pay of alice took effect. Let it happen a second time?');
  expect((await cli.operator.audit()).entries).toEqual([]);

  const { code } = await cli.runWith(answering('yes'), ...bust, '--even-if-executed');
  expect(code).toBe(0);
  expect(await cli.store.find(request)).toMatchObject({ state: 'released' });
});

test('a yes counts for what the question was about, and not for what happened since', async () => {
  await using cli = await openCli();
  const request = await openCompleted(cli, success());
  const bust = ['bust', request.key, ...reason, '--even-if-executed'];
  const meanwhile = async () => {
    // A colleague was faster, and the key has been delivered once more.
    await cli.run(...bust, '--yes');
    const second = again(request);
    await cli.store.reserve(second);
    await cli.store.complete(second, success());
    return 'yes';
  };
  const { code, stderr } = await cli.runWith({ ask: meanwhile }, ...bust);
  expect(code).toBe(1);
  expect(stderr).toContain('attempted again meanwhile');
  expect(await cli.store.find(request)).toMatchObject({ state: 'completed', attempt: 2 });
});

test('--yes answers the question beforehand', async () => {
  await using cli = await openCli();
  const request = await openCompleted(cli, success());
  const { code } = await cli.run('bust', request.key, ...reason, '--even-if-executed', '--yes');
  expect(code).toBe(0);
});

test('what is in progress or unknown is not busted, and the message says what to do', async () => {
  await using cli = await openCli();
  const request = newRequest();
  await cli.store.reserve(request);
  const bust = ['bust', request.key, ...reason, '--even-if-executed', '--yes'];
  expect(await cli.run(...bust)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('onceward sweep'),
  });
  await cli.store.doubt(request);
  expect(await cli.run(...bust)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('onceward settle'),
  });
});
