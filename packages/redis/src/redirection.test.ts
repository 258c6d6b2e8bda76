import { Cluster, type NatMap } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { explainSkip, nativeRedis } from '../test/native-redis.ts';
import { type ClusterNode, type RunningCluster, startCluster } from '../test/start-cluster.ts';
import { sendReplicated } from './send.ts';

/** No node has a replica here: what counts is where a write and its WAIT arrive. */
const demand = { count: 0, timeoutMs: 20 };

explainSkip('a write with a WAIT behind it, whose slot moves');
describe.runIf(nativeRedis)('a write with a WAIT behind it', () => {
  let running: RunningCluster;
  beforeAll(async () => {
    running = await startCluster();
  }, 60_000);
  afterAll(() => running[Symbol.asyncDispose]());

  /** A client that knows where all slots are, and a key whose slot is about to move. */
  async function open(natMap?: NatMap) {
    const [from, to] = running.nodes as [ClusterNode, ClusterNode, ClusterNode];
    const client = new Cluster([...running.urls], natMap ? { natMap } : {});
    const { key, slot } = await keyOn(client, from);
    return {
      ...{ client, from, to, key, slot },
      write: (value: string) => sendReplicated(['set', key, value], client, demand),
      async moveSlot() {
        for (const { admin } of running.nodes) await admin.cluster('SETSLOT', slot, 'NODE', to.id);
      },
      [Symbol.dispose]: () => client.disconnect(),
    };
  }

  test('is led to where its slot is by now, and so is its WAIT', async () => {
    using opened = await open();
    const { write, from, to, key } = opened;
    await opened.moveSlot();
    const waits = await callsOf(to, 'wait');
    expect(String(await write('paid'))).toBe('OK');
    expect(await to.admin.get(key)).toBe('paid');
    expect(await callsOf(to, 'wait')).toBe(waits + 1);
    // And those that come later need not be led.
    await vi.waitFor(async () => {
      const sets = await callsOf(from, 'set');
      await write('again');
      expect(await callsOf(from, 'set')).toBe(sets);
    });
  });

  test('is let in where its slot is about to be', async () => {
    using opened = await open();
    const { write, from, to, slot } = opened;
    await to.admin.cluster('SETSLOT', slot, 'IMPORTING', from.id);
    await from.admin.cluster('SETSLOT', slot, 'MIGRATING', to.id);
    const waits = await callsOf(to, 'wait');
    expect(String(await write('paid'))).toBe('OK');
    const counts = [from, to].map(({ admin }) => admin.cluster('COUNTKEYSINSLOT', slot));
    expect(await Promise.all(counts)).toEqual([0, 1]);
    expect(await callsOf(to, 'wait')).toBe(waits + 1);
    await opened.moveSlot();
  });

  test('finds a node that the client knows by another address', async () => {
    using opened = await open((address) => {
      return { host: 'localhost', port: Number(address.split(':')[1]) };
    });
    await opened.moveSlot();
    expect(String(await opened.write('paid'))).toBe('OK');
    expect(await opened.to.admin.get(opened.key)).toBe('paid');
  });

  test('that is led in circles is refused', async () => {
    using opened = await open();
    const { write, from, to, slot } = opened;
    // Each of the two says that the other one has it.
    await from.admin.cluster('SETSLOT', slot, 'NODE', to.id);
    await expect(write('paid')).rejects.toMatchObject({ code: 'MOVED' });
    await opened.moveSlot();
    expect(String(await write('paid'))).toBe('OK');
  }, 5_000);
});

/** One of whose slot nothing is stored yet. */
async function keyOn(client: Cluster, { admin, server }: ClusterNode) {
  await vi.waitFor(() => expect(client.status).toBe('ready'));
  for (let number = 0; ; number++) {
    const key = `key-${number}`;
    const slot = Number(await admin.cluster('KEYSLOT', key));
    const [owner] = client.slots[slot] ?? [];
    if (!owner?.endsWith(`:${server.port}`)) continue;
    if ((await admin.cluster('COUNTKEYSINSLOT', slot)) === 0) return { key, slot };
  }
}

/** How often a node was asked for a command, also if it redirected whoever asked. */
async function callsOf({ admin }: ClusterNode, command: string): Promise<number> {
  const stats = await admin.info('commandstats');
  const [, calls, rejected] =
    new RegExp(`cmdstat_${command}:calls=(\\d+).*rejected_calls=(\\d+)`).exec(stats) ?? [];
  return Number(calls ?? 0) + Number(rejected ?? 0);
}
