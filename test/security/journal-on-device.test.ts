import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { createJournal, describeFailure, memoryJournal } from '@onceward/client';
import { expect, test } from 'vitest';
import { day, openDevice, paid } from '../../packages/client/test/journal-fixture.ts';

test('S24: a row has the intent in it, and nothing that a link adds on its way', async () => {
  const store = memoryJournal();
  const journal = createJournal({ store, scope: 'alice' });
  journal.connect('bank', {
    async send(input, attempt) {
      const headers = { ...attempt.headers(), authorization: 'Bearer token-canary' };
      return { paid: input, sent: Object.keys(headers) };
    },
    describeFailure,
    preserve: () => null,
    revive: () => null,
  });
  journal.pause();
  await journal.submit({ channel: 'bank', operation: 'pay', input: { note: 'input' } });
  expect(JSON.stringify(await store.list('alice'))).toContain('input');
  journal.resume();
  await journal.drain();

  expect(JSON.stringify(await store.list('alice'))).not.toContain('token-canary');
  journal.close();
});

test('S24: with a codec, who reads the device finds neither input nor answer', async () => {
  const device = openDevice();
  const secret = randomBytes(32);
  const { journal, pay } = device.open({ codec: aes(secret), keepSettledMs: day });
  journal.pause();
  await pay(4_711, {
    meta: { note: 'meta-canary' },
    input: { note: 'input-canary', cents: 4_711 },
  });
  const rows = JSON.stringify(await device.store.list('alice'));
  expect(rows).not.toMatch(/canary|4711/);
  journal.resume();
  await journal.drain();

  expect(paid(device)).toEqual([4_711]);
  journal.close();
});

test('S24: after signing out nothing is sent, whoever comes next', async () => {
  const device = openDevice();
  let user: string | null = 'alice';
  const alice = device.open({ scope: () => user });
  device.network.set(false);
  await alice.pay(1);
  user = null;
  device.network.set(true);
  await device.clock.advance(day / 2);
  expect(device.server.seen).toEqual([]);
  alice.journal.close();

  const bob = device.open({ scope: 'bob' });
  await bob.pay(2);
  await device.clock.advance(day / 4);
  // Bob sees that there is something, and neither what it is nor whose.
  expect(paid(device)).toEqual([2]);
  expect(bob.journal.records().map(({ input }) => input)).not.toContainEqual(
    expect.stringContaining('1'),
  );
  expect(await bob.journal.countOthers()).toBe(1);
  bob.journal.close();
});

test('S24: who cancels what is left when they sign out leaves nothing on the device', async () => {
  const device = openDevice();
  const { journal, pay } = device.open();
  device.network.set(false);
  const submitted = await Promise.all([pay(1), pay(2)]);
  for (const { settled } of submitted) settled.catch(() => undefined);
  for (const { id } of journal.records()) expect(await journal.cancel(id)).toBe('cancelled');
  await device.clock.advance(1_000);

  expect(journal.records()).toEqual([]);
  expect(await device.store.list('alice')).toEqual([]);
  expect(device.server.seen).toEqual([]);
  journal.close();
});

/** What an application with a key of its own would write. */
function aes(secret: Uint8Array) {
  return {
    encode(text: string) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', secret, iv);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
    },
    decode(text: string) {
      const bytes = Buffer.from(text, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString();
    },
  };
}
