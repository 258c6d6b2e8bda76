import { describe, expect, test } from 'vitest';
import { day, openDevice, paid } from '../../test/journal-fixture.ts';

describe('a row that cannot be read', () => {
  test.each([
    ['damaged', (body: string) => body.replace('"cents', '"pence'), 'corrupt'],
    ['no journal wrote', () => 'something else', 'corrupt'],
    ['of a later version', (body: string) => body.replace(/^1:/, '2:'), 'newer'],
  ])('%s is kept, shown, and never sent', async (_, damage, problem) => {
    const device = openDevice();
    device.network.set(false);
    const first = device.open();
    await first.pay(100);
    first.kill();
    const [row] = await device.store.list('alice');
    await device.store.update({ ...row!, body: damage(row!.body.replaceAll('\\"', '"')) });
    device.network.set(true);
    const { journal, events } = device.open();
    await device.clock.advance(day);
    const quarantined = { seq: 1, rev: 2, problem };
    expect(journal.quarantined()).toEqual([quarantined]);
    expect(events).toEqual([{ kind: 'row-quarantined', row: quarantined }]);
    expect(device.server.seen).toEqual([]);
    expect(await device.store.list('alice')).toHaveLength(1);
  });

  test('because of its encryption is kept too', async () => {
    const device = openDevice();
    device.network.set(false);
    const reversed = (text: string) => [...text].reverse().join('');
    const first = device.open({ codec: { encode: reversed, decode: reversed } });
    await first.pay(100);
    first.kill();
    expect((await device.store.list('alice'))[0]?.body).not.toContain('cents');
    const wrong = {
      encode: reversed,
      decode: () => {
        throw new Error('another key');
      },
    };
    const second = device.open({ codec: wrong });
    await device.clock.advance(0);
    expect(second.journal.quarantined()).toMatchObject([{ seq: 1, problem: 'undecodable' }]);
    second.kill();
    device.network.set(true);
    await device.open({ codec: { encode: reversed, decode: reversed } }).journal.drain();
    expect(paid(device)).toEqual([100]);
  });
});

test('a row that a later version writes while this one delivers it is left to that', async () => {
  const device = openDevice();
  device.server.fates.push('hang');
  const { journal, pay } = device.open();
  const { settled } = await pay(100);
  await device.clock.advance(0);
  const [row] = await device.store.list('alice');
  await device.store.update({ ...row!, body: row!.body.replace(/^1:/, '2:') });
  await device.clock.advance(day / 2);
  await expect(settled).rejects.toMatchObject({ reason: 'unresolved', execution: 'possible' });
  expect(journal.quarantined()).toMatchObject([{ seq: 1, problem: 'newer' }]);
  expect(journal.records()).toEqual([]);
  expect(device.server.seen).toHaveLength(1);
  expect(await device.store.list('alice')).toHaveLength(1);
});

test('a row of which the store has lost all but its number is shown', async () => {
  const device = openDevice();
  const lost = { seq: 7, rev: 0, scope: 'alice', intent: null, body: '{"seq":7,"scope":"alice"}' };
  const list = async () => [lost];
  const { journal } = device.open({ store: { ...device.store, list } });
  await device.clock.advance(0);
  expect(journal.quarantined()).toEqual([{ seq: 7, rev: 0, problem: 'corrupt' }]);
});

test('a row that can be read again, or is gone, is no longer shown', async () => {
  const device = openDevice();
  device.network.set(false);
  const { journal, pay } = device.open();
  await pay(1);
  await pay(2);
  const later = device.connect();
  for (const current of await device.store.list('alice')) {
    const body = current.body.replace(/^1:/, '2:');
    const { row } = await device.store.update({ ...current, body });
    later.announce({ seq: current.seq, row });
  }
  await device.clock.advance(0);
  expect(journal.quarantined()).toHaveLength(2);
  const [first, second] = await device.store.list('alice');
  const { row } = await device.store.update({ ...first!, body: first!.body.replace(/^2:/, '1:') });
  later.announce({ seq: 1, row });
  await device.store.remove(second!);
  later.announce({ seq: 2 });
  await device.clock.advance(0);
  expect(journal.quarantined()).toEqual([]);
  expect(journal.records()).toMatchObject([{ seq: 1, state: 'queued' }]);
});
