import { setTimeout as passes } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { explainSkip, nativeRedis } from '../../packages/redis/test/native-redis.ts';
import {
  type ClusterNode,
  following,
  startCluster,
} from '../../packages/redis/test/start-cluster.ts';
import { moveSlots } from './move-slots.ts';
import { type ClusterIntent, goShopping } from './shoppers.ts';

explainSkip('six nodes of a Redis Cluster, with moving slots and a master that is killed');
describe.runIf(nativeRedis)('a Redis Cluster of three masters and three replicas', () => {
  test('duplicates nothing while WAIT succeeds, through moving slots and a killed master', async () => {
    await using cluster = await startCluster({ replicas: 1 });
    const { urls, nodes } = cluster;
    const masters = nodes.slice(0, 3);
    const [first, second, third] = masters as [ClusterNode, ClusterNode, ClusterNode];
    const heir = nodes[5]!;
    using waited = goShopping({
      ...{ urls, prefix: 'waited:', shoppers: 12 },
      waitForReplicas: { count: 1, timeoutMs: 500 },
    });
    using unwaited = goShopping({ urls, prefix: 'unwaited:', shoppers: 4 });
    await grows(waited.intents, 100);

    const slots = Array.from({ length: 120 }, (_, n) => n * 45);
    await moveSlots(slots, { from: first, to: second, masters });
    await grows(waited.intents, 100);

    // A replica hears nothing, until somebody is refused for it; then its master is gone.
    process.kill(heir.service.pid, 'SIGSTOP');
    await someAreRefused(waited.refusals);
    await third.service.end('SIGKILL');
    process.kill(heir.service.pid, 'SIGCONT');
    const promotion = await promoted(heir);
    third.service = await third.server.start();
    await following(third);
    await grows(waited.intents, 100);

    await Promise.all([waited.stop(), unwaited.stop()]);
    await Promise.all([waited.settle(), unwaited.settle()]);
    const redirections = await errorsOf(nodes);
    console.log(
      [
        `Redis Cluster, 3 + 3: ${slots.length} slots moved, a replica promoted ${promotion}.`,
        `Redirections and refusals by the nodes: ${JSON.stringify(redirections)}.`,
        `Waited for: ${twice(waited.intents)} of ${waited.intents.length} intents twice; none is ` +
          `under ${(3 / waited.intents.length).toExponential(1)}. Refused meanwhile: ` +
          `${JSON.stringify(waited.refusals)}.`,
        `Not promised, without waiting: ${twice(unwaited.intents)} of ` +
          `${unwaited.intents.length} intents twice.`,
      ].join('\n'),
    );

    expect(twice(waited.intents)).toBe(0);
    expect(waited.intents.filter(({ stuck }) => stuck)).toEqual([]);
    expect(waited.intents.filter(({ effects }) => effects !== 1)).toEqual([]);
    expect(waited.intents.filter(({ answers }) => answers.size !== 1)).toEqual([]);
    expect(redirections['CROSSSLOT'] ?? 0).toBe(0);
    expect(redirections['MOVED']).toBeGreaterThan(0);
  }, 120_000);
});

function twice(intents: readonly ClusterIntent[]): number {
  return intents.filter(({ effects }) => effects > 1).length;
}

async function grows(intents: readonly unknown[], by: number): Promise<void> {
  for (const enough = intents.length + by; intents.length < enough;) await passes(20);
}

/** While there is no replica to confirm: closed, not open. */
async function someAreRefused(refusals: Readonly<Record<string, number>>): Promise<void> {
  while (!refusals['IDEMPOTENCY_STORE_UNAVAILABLE']) await passes(20);
}

/** By its own decision; or by ours, when the others do not agree in time. */
async function promoted({ admin }: ClusterNode): Promise<string> {
  const startedAt = performance.now();
  for (let asked = false; ;) {
    const role = (await admin.call('ROLE').catch(() => [])) as unknown[];
    const waitedMs = performance.now() - startedAt;
    if (role[0] === 'master') {
      return `after ${(waitedMs / 1_000).toFixed(1)} s${asked ? ', by hand' : ''}`;
    }
    if (waitedMs > 10_000 && !asked) {
      asked = true;
      await admin.cluster('FAILOVER', 'TAKEOVER').catch(() => undefined);
    }
    await passes(50);
  }
}

/** What the nodes answered instead of doing it, by its first word. */
async function errorsOf(nodes: readonly ClusterNode[]): Promise<Record<string, number>> {
  const errors: Record<string, number> = {};
  for (const { admin } of nodes) {
    const stats = await admin.info('errorstats');
    for (const [, code = '', count] of stats.matchAll(/errorstat_(\w+):count=(\d+)/g)) {
      errors[code] = (errors[code] ?? 0) + Number(count);
    }
  }
  return errors;
}
