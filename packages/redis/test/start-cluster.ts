import { setTimeout as passes } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createNativeRedis, type NativeRedis } from './native-redis.ts';
import type { Service } from '../../../test/services/service-process.ts';

export interface RunningCluster extends AsyncDisposable {
  readonly urls: readonly string[];
  /** Masters first; each master's replica comes as many places later as there are masters. */
  readonly nodes: readonly ClusterNode[];
}

export interface ClusterNode {
  readonly server: NativeRedis;
  /** A connection of its own to this node. */
  readonly admin: Redis;
  readonly id: string;
  service: Service;
}

export interface ClusterOptions {
  /** Of each master. @defaultValue 0 */
  readonly replicas?: 0 | 1;
}

const masters = 3;

/** Three masters, which share the 16384 slots, with or without a replica each. */
export async function startCluster({ replicas = 0 }: ClusterOptions = {}): Promise<RunningCluster> {
  const nodes: ClusterNode[] = [];
  for (let count = 0; count < masters * (1 + replicas); count++) nodes.push(await startNode());
  const [first] = nodes as [ClusterNode];

  const share = Math.ceil(16_384 / masters);
  for (const [index, { admin }] of nodes.entries()) {
    const last = Math.min((index + 1) * share, 16_384) - 1;
    if (index < masters) await admin.cluster('ADDSLOTSRANGE', index * share, last);
    await admin.cluster('SET-CONFIG-EPOCH', index + 1);
    await admin.cluster('MEET', '127.0.0.1', first.server.port);
  }
  for (const { admin } of nodes) await agreed(admin, nodes.length);
  for (const [index, replica] of nodes.entries()) {
    if (index >= masters) await replicate(replica, nodes[index - masters]!);
  }
  return {
    nodes,
    urls: nodes.map(({ service }) => service.url),
    async [Symbol.asyncDispose]() {
      for (const { admin } of nodes) admin.disconnect();
      await Promise.all(nodes.map(({ service }) => service.stop()));
    },
  };
}

/** Resolves when this node follows a master. */
export async function following({ admin }: ClusterNode): Promise<void> {
  while (!(await admin.info('replication').catch(() => '')).includes('master_link_status:up')) {
    await passes(50);
  }
}

async function startNode(): Promise<ClusterNode> {
  const server = await createNativeRedis([
    ...['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1'],
    ...['--cluster-node-timeout', '2000'],
  ]);
  const service = await server.start();
  const admin = new Redis(service.url, { retryStrategy: () => 50 });
  admin.on('error', () => undefined);
  return { server, service, admin, id: await admin.cluster('MYID') };
}

async function replicate(replica: ClusterNode, master: ClusterNode): Promise<void> {
  // Known by name only once the gossip has come round.
  for (;;) {
    const done = await replica.admin.cluster('REPLICATE', master.id).catch(() => undefined);
    if (done) return following(replica);
    await passes(50);
  }
}

async function agreed(node: Redis, size: number): Promise<void> {
  for (;;) {
    const info = await node.cluster('INFO');
    const knowsAll = info.includes(`cluster_known_nodes:${size}`);
    if (info.includes('cluster_state:ok') && knowsAll) return;
    await passes(50);
  }
}
