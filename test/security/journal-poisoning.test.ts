import type { JournalRow } from '@onceward/core/journal';
import { describe, expect, test } from 'vitest';
import { day, type Device, openDevice, paid } from '../../packages/client/test/journal-fixture.ts';

describe('S25: a row that was changed on the device', () => {
  test.each<[string, (body: string) => string]>([
    ['has another amount', (body) => body.replace('100', '999')],
    ['has another operation', (body) => body.replace('"pay"', '"rob"')],
    ['is cut short', (body) => body.slice(0, -5)],
    ['is empty', () => ''],
    ['is of a later version', (body) => body.replace(/^1:/, '2:')],
    ['is of no version', (body) => body.replace(/^1:/, '')],
    ['is not JSON, with the right checksum', () => sealed('{"id":')],
    ['is null, with the right checksum', () => sealed('null')],
    ['is a number, with the right checksum', () => sealed('7')],
    ['is a list, with the right checksum', () => sealed('[]')],
    ['has no members, with the right checksum', () => sealed('{}')],
    ['lacks its key, with the right checksum', (body) => without(body, 'key')],
    ['lacks what it comes after, with the right checksum', (body) => without(body, 'after')],
    ['has a number for a key, with the right checksum', (body) => changed(body, { key: 7 })],
    ['has a prototype, with the right checksum', () => sealed('{"__proto__":{"state":"queued"}}')],
  ])('and %s is set aside, and all others are sent', async (_, tamper) => {
    const device = await leave(100);
    await change(device, (row) => ({ ...row, body: tamper(row.body) }));
    const { journal, pay, events } = device.open();
    await pay(7);
    await device.clock.advance(day / 4);

    expect(paid(device)).toEqual([7]);
    expect(device.server.seen).toHaveLength(1);
    expect(journal.quarantined()).toHaveLength(1);
    expect(events.filter(({ kind }) => kind === 'row-quarantined')).toHaveLength(1);
    expect(({} as { state?: unknown }).state).toBeUndefined();
    journal.close();
  });

  test('and names an operation that nobody sends any more is kept, and never sent', async () => {
    const device = await leave(100);
    await change(device, (row) => ({ ...row, body: changed(row.body, { channel: 'no bank' }) }));
    const { journal } = device.open();
    await device.clock.advance(day / 4);

    expect(device.server.seen).toEqual([]);
    expect(journal.records()).toHaveLength(1);
    journal.close();
  });

  test.each([
    ['is in no state', { state: 'robbing' }],
    ['has no input', { input: undefined }],
    ['has an input that is not JSON', { input: '{' }],
    ['has no time', { expiresAt: undefined }],
  ])('and %s is never sent, and all others are', async (_, members) => {
    const device = await leave(100);
    await change(device, (row) => ({ ...row, body: changed(row.body, members) }));
    const { journal, pay } = device.open();
    await pay(7);
    await device.clock.advance(day / 4);

    expect(paid(device)).toEqual([7]);
    journal.close();
  });

  test('and claims to be of another user stays with whom it was filed under', async () => {
    const device = await leave(100);
    await change(device, (row) => ({ ...row, body: changed(row.body, { scope: 'bob' }) }));
    const bob = device.open({ scope: 'bob' });
    await device.clock.advance(day / 4);

    expect(device.server.seen).toEqual([]);
    expect(bob.journal.records()).toEqual([]);
    bob.journal.close();
  });
});

/** A device on which a page has died before it could send a payment. */
async function leave(cents: number): Promise<Device> {
  const device = openDevice();
  const page = device.open();
  page.journal.pause();
  await page.pay(cents);
  page.kill();
  return device;
}

async function change(device: Device, tamper: (row: JournalRow) => JournalRow): Promise<void> {
  const [row] = await device.store.list('alice');
  expect(await device.store.update(tamper(row!))).toMatchObject({ kind: 'updated' });
}

/** A body that nobody can tell from one of ours: the checksum is no secret. */
function sealed(json: string): string {
  let hash = 0x811c9dc5;
  for (const character of json) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return `1:${(hash >>> 0).toString(36)}:${json}`;
}

function changed(body: string, members: object): string {
  const json = body.slice(body.indexOf('{'));
  return sealed(JSON.stringify({ ...(JSON.parse(json) as object), ...members }));
}

function without(body: string, member: string): string {
  return changed(body, { [member]: undefined });
}
