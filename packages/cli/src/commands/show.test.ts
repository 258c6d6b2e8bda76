import { newRequest, opaqueRequest, success } from '@onceward/conformance/requests';
import { mintKey } from '@onceward/core';
import { createEngine } from '@onceward/server';
import { expect, test } from 'vitest';
import { type OpenCli, openCli } from '../../test/open-cli.ts';

/** A mutation that the engine ran. */
async function pay(cli: OpenCli, value: unknown) {
  const mutation = createEngine({ store: cli.store }).mutation({
    operation: 'pay',
    effect: 'external',
  });
  const key = mintKey();
  await mutation.runOnce({ scope: 'alice', key, input: {} }, () => value);
  return key;
}

test('shows all there is, but the answer only to who asks for it', async () => {
  await using cli = await openCli();
  const key = await pay(cli, { receipt: 'secret-7' });
  const shown = await cli.run('show', key);
  expect([shown.code, shown.stderr]).toEqual([0, '']);
  expect(shown.stdout).toMatch(/state +completed: success/);
  expect(shown.stdout).toMatch(/operation +pay/);
  expect(shown.stdout).toContain('nobody has settled or busted it');
  expect(shown.stdout).not.toContain('secret');
  const inJson = await cli.run('show', key, '--json');
  expect(inJson.json).toMatchObject({ key, state: 'completed', outcome: 'success', audit: [] });
  expect(inJson.json).not.toHaveProperty('answer');

  const asked = await cli.run('show', key, '--answer');
  expect(asked.stdout).toMatch(/answer +{"receipt":"secret-7"}/);
  const { answer } = (await cli.run('show', key, '--answer', '--json')).json;
  expect(answer).toMatchObject({ encoding: 'plain', version: 1, text: '{"receipt":"secret-7"}' });
  expect(Buffer.from(answer.base64, 'base64').toString()).toContain('secret-7');
});

test('an answer that is encrypted, or of somebody else, is shown as bytes', async () => {
  await using cli = await openCli();
  const encryption = { keys: [{ id: 'k1', key: new Uint8Array(32) }] };
  const mutation = createEngine({ store: cli.store, encryption }).mutation({
    operation: 'pay',
    effect: 'external',
  });
  const key = mintKey();
  await mutation.runOnce({ scope: 'alice', key, input: {} }, () => 'secret');
  expect((await cli.run('show', key, '--answer')).stdout).toMatch(/answer +encrypted, as base64: /);
  const foreign = opaqueRequest();
  await cli.store.reserve(foreign);
  await cli.store.complete(foreign, success('x'));
  expect((await cli.run('show', foreign.key, '--answer', '--json')).json.answer).toEqual({
    encoding: 'foreign',
    base64: 'eA==',
  });
});

test('shows who settled it, when and on what evidence', async () => {
  await using cli = await openCli();
  const request = newRequest();
  await cli.store.reserve(request);
  await cli.store.doubt(request);
  const audit = { actor: 'ada', evidence: { charge: 'ch_7' } };
  await cli.store.settle(request, { kind: 'executed', completion: success(), audit });
  const { stdout } = await cli.run('show', request.key);
  expect(stdout).toMatch(/Z {2}ada {2}settle: executed  {"charge":"ch_7"}/);
});

test('a key of several scopes needs one of them', async () => {
  await using cli = await openCli();
  const key = mintKey();
  for (const scope of ['alice', 'bob']) await cli.store.reserve(newRequest({ key, scope }));
  const { code, stderr } = await cli.run('show', key);
  expect(code).toBe(2);
  expect(stderr).toContain('--scope "alice"');
  expect(stderr).toContain('--scope "bob"');
  const { json } = await cli.run('show', key, '--scope', 'bob', '--json');
  expect(json).toMatchObject({ key, scope: 'bob' });
});

test('a key may be written in capitals, and an opaque one as it was sent', async () => {
  await using cli = await openCli();
  const timed = newRequest();
  const opaque = opaqueRequest({ key: 'Order-7-ABCDEF-0123' });
  const asSent = opaqueRequest({ key: mintKey().toUpperCase() });
  for (const request of [timed, opaque, asSent]) await cli.store.reserve(request);
  expect((await cli.run('show', timed.key.toUpperCase())).code).toBe(0);
  expect((await cli.run('show', opaque.key)).code).toBe(0);
  expect((await cli.run('show', asSent.key)).code).toBe(0);
  expect((await cli.run('show', opaque.key.toLowerCase())).code).toBe(1);
});

test('a key that is not there is 1, and says where it was looked for', async () => {
  await using cli = await openCli();
  const { code, stdout, stderr } = await cli.run('show', mintKey(), '--json');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`the schema ${cli.schema} of postgres://`);
  const elsewhere = newRequest();
  await cli.store.reserve(elsewhere);
  expect((await cli.run('show', elsewhere.key, '--scope', 'bob')).stderr).toContain('scope bob');
});
