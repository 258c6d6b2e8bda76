import { describe, expect, test } from 'vitest';
import { keysSeen, openDevice, paid } from '../../test/journal-fixture.ts';

describe('two tabs', () => {
  test('submit one intent: one request, and both get the answer', async () => {
    const device = openDevice();
    const [left, right] = [device.open(), device.open()];
    await device.clock.advance(0);
    const [first, second] = await Promise.all([
      left.pay(100, { intent: 'order 1' }),
      right.pay(100, { intent: 'order 1' }),
    ]);
    expect(await first.settled).toEqual({ paid: { cents: 100 }, replayed: false });
    expect(await second.settled).toEqual({ paid: { cents: 100 }, replayed: false });
    expect(device.server.seen).toHaveLength(1);
  });

  test('a tab gets the answer to what the other has sent', async () => {
    const device = openDevice();
    const [leader, follower] = [device.open(), device.open()];
    device.server.fates.push('hang');
    await leader.pay(1);
    const { settled } = await follower.pay(2);
    await expect(settled).resolves.toMatchObject({ paid: { cents: 2 } });
  });

  test('when the one that delivers dies, the other goes on, under the same key', async () => {
    const device = openDevice();
    const [leader, follower] = [device.open(), device.open()];
    device.server.fates.push('hang');
    const { record } = await leader.pay(100);
    await device.clock.advance(0);
    leader.kill();
    await device.clock.advance(0);
    await follower.journal.drain();
    expect(keysSeen(device)).toEqual([record.key]);
    expect(paid(device)).toEqual([100]);
  });

  test('that both deliver make one effect, and settle it once', async () => {
    const device = openDevice();
    const everybodyLeads = () => ({
      campaign: (events: { elected(): void }) => {
        events.elected();
        return () => {};
      },
      announce() {},
      listen: () => () => {},
    });
    const open = () => device.open({ store: { ...device.store, tabs: everybodyLeads() } });
    device.network.set(false);
    const left = open();
    await left.pay(100);
    const right = open();
    await device.clock.advance(0);
    device.network.set(true);
    await Promise.all([left.journal.drain(), right.journal.drain(), device.clock.advance(1_000)]);
    expect(paid(device)).toEqual([100]);
    expect(keysSeen(device)).toHaveLength(1);
  });
});
