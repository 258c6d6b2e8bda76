import { mintKey } from '@onceward/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { counter, openTrpc, serve } from '../../packages/server/test/trpc-fixture.ts';
import { openYoga, payment } from '../../packages/server/test/yoga-fixture.ts';

const key = mintKey();
const scalars = fc.oneof(
  fc.constantFrom(key, key.toUpperCase(), `"${key}"`, '', '__proto__', 'null', '0'),
  fc.jsonValue(),
);
const names = fc.constantFrom('0', '1', '2', '-1', '00', '__proto__', 'constructor', 'length', 'a');

/** A refusal of ours, or what the host says about a request that it cannot read. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

test('whatever is in trpc-idempotency-keys, a call is executed under a key or refused', async () => {
  const { t, once, authed } = openTrpc();
  const run = counter();
  const router = t.router({ pay: authed.use(once.guard({ effect: 'external' })).mutation(run) });
  const send = serve(router);
  const texts = fc.oneof(
    fc.dictionary(names, scalars).map((keys) => JSON.stringify(keys)),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((c) => String.fromCharCode(c)) }),
  );
  await fc.assert(
    fc.asyncProperty(texts.filter(fitsHeader), fc.boolean(), async (text, batch) => {
      const before = run.runs();
      const headers = { 'trpc-idempotency-keys': text };
      const path = batch ? 'pay,pay' : 'pay';
      const { status, json } = await send(path, { headers, input: batch ? [1, 2] : 1 });
      const answers = batch ? json : [json];
      const executed = answers.filter((answer: { result?: unknown }) => answer.result).length;

      // tRPC says 207 where two calls were refused for two reasons.
      if (executed === 0) expect(isRefusal(status) || (batch && status === 207)).toBe(true);
      // One key is one execution, however it is written and however often it is sent.
      expect(run.runs() - before).toBeLessThanOrEqual(executed);
      for (const { error } of answers) {
        if (error) expect(error.data.idempotency.code).toMatch(/^IDEMPOTENCY_/);
      }
    }),
    { numRuns: 300 },
  );
});

test('whatever comes as an envelope, a call is executed under its key or refused', async () => {
  const { t, once, authed } = openTrpc();
  const inputs: unknown[] = [];
  const router = t.router({
    pay: t.procedure
      .use(once.unwrap)
      .concat(authed)
      .input((input: unknown) => input)
      .use(once.guard({ effect: 'external' }))
      .mutation(({ input }) => void inputs.push(input)),
  });
  const send = serve(router);
  const envelopes = fc.oneof(
    fc.record({ $idempotency: scalars, input: fc.jsonValue() }, { requiredKeys: [] }),
    fc.record({ $idempotency: fc.constant(key), input: fc.jsonValue(), more: fc.jsonValue() }),
    fc.jsonValue(),
  );
  await fc.assert(
    fc.asyncProperty(envelopes, async (envelope) => {
      const before = inputs.length;
      const { status, json } = await send('pay', { body: JSON.stringify(envelope), headers });
      if (status === 200) {
        // Nothing but the envelope was taken off.
        if (inputs.length > before) {
          const sent = envelope as { input?: unknown };
          expect(JSON.stringify(inputs.at(-1))).toBe(JSON.stringify(sent.input));
        }
        return;
      }
      expect(isRefusal(status)).toBe(true);
      expect(json.error.data.idempotency.code).toMatch(/^IDEMPOTENCY_/);
      expect(inputs).toHaveLength(before);
    }),
    { numRuns: 300 },
  );
});

test('whatever is in the extensions of GraphQL, a mutation is executed under a key or refused', async () => {
  const { send, effects } = openYoga();
  const extensions = fc.oneof(
    fc.record({ idempotencyKey: scalars }),
    fc.dictionary(fc.constantFrom('idempotencyKey', '__proto__', 'idempotency', 'http'), scalars),
  );
  await fc.assert(
    fc.asyncProperty(extensions, async (given) => {
      const before = effects.length;
      const { status, body } = await send({ ...payment, extensions: given });
      if (status === 200) return;
      expect(isRefusal(status)).toBe(true);
      expect(body.errors[0].extensions.code).toMatch(/^IDEMPOTENCY_|BAD_REQUEST/);
      expect(effects).toHaveLength(before);
    }),
    { numRuns: 300 },
  );
  // Of all those good spellings of one key, one was executed.
  expect(effects.length).toBeLessThanOrEqual(1);
});

const headers = { 'content-type': 'application/json' };

function fitsHeader(text: string): boolean {
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text);
}
