import { mintKey } from '@onceward/core';
import { expect, test } from 'vitest';
import type { FaultMemory } from './fault-memory.ts';
import { keysInHeaders } from './keys-in-headers.ts';
import { parseFaults } from './parse-faults.ts';
import { requestFaults } from './request-faults.ts';

test('of a batch that is sent again in pieces, each piece gets through', async () => {
  const memory = rememberInMemory();
  const [one, two] = [mintKey(), mintKey()];
  const arrive = (headers: Record<string, string>) =>
    openFaults('status=503', { headers, memory }).onTheWayIn();
  const batch = { 'trpc-idempotency-keys': JSON.stringify({ 0: one, 1: two }) };
  expect((await arrive(batch))?.status).toBe(503);
  expect(await arrive({ 'idempotency-key': `"${one}"` })).toBeUndefined();
  expect(await arrive({ 'idempotency-key': two.toUpperCase() })).toBeUndefined();
});

test('a request without a key is neither refused nor dropped', async () => {
  const faults = openFaults('status=503,drop');
  expect(await faults.onTheWayIn()).toBeUndefined();
  expect(await faults.onTheWayOut(new Response('paid'))).toBeInstanceOf(Response);
});

test('a refusal is not dropped, and leaves the drop to the answer that follows', async () => {
  const headers = { 'idempotency-key': mintKey() };
  const faults = openFaults('drop', { headers });
  const refusal = new Response('in progress', { status: 409 });
  expect(await faults.onTheWayOut(refusal)).toBe(refusal);
  expect(await faults.onTheWayOut(new Response('paid'))).toBe('no-answer');
});

test('a crash strikes the first execution of a key, in the handler', async () => {
  const faults = openFaults('crash');
  const key = mintKey();
  await expect(faults.midway(key)).rejects.toThrow('crashed');
  await faults.midway(key);
  await expect(faults.midway(mintKey())).rejects.toThrow('crashed');
});

test('a wait ends with the server', async () => {
  const stopping = AbortSignal.abort();
  await expect(openFaults('hold=60000', { stopping }).midway(mintKey())).rejects.toThrow();
});

interface Setting {
  readonly headers?: Record<string, string>;
  readonly memory?: FaultMemory;
  readonly stopping?: AbortSignal;
}

function openFaults(header: string, setting: Setting = {}) {
  const { headers, memory = rememberInMemory(), stopping = new AbortController().signal } = setting;
  const parsed = parseFaults(header);
  if ('problem' in parsed) throw new Error(parsed.problem);
  const crash = () => {
    throw new Error('crashed');
  };
  const request = { keys: keysInHeaders(new Headers(headers)), user: 'alice' };
  return requestFaults(parsed.faults, request, { memory, crash, stopping });
}

function rememberInMemory(): FaultMemory {
  const done = new Set<string>();
  return {
    async isFirst(fault, user, keys) {
      const fresh = keys.map((key) => `${user} ${fault} ${key}`).filter((each) => !done.has(each));
      for (const each of fresh) done.add(each);
      return fresh.length > 0;
    },
  };
}
