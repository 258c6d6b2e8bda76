import { Redis } from 'ioredis';
import type { Service } from '../../../test/services/service-process.ts';
import { startNativeRedis } from './native-redis.ts';

export interface RunningCluster extends AsyncDisposable {
  readonly urls: readonly string[];
}

/** Three masters without replicas, which share the 16384 slots. */
export async function startCluster(): Promise<RunningCluster> {
  const settings = ['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1'];
  const servers: Service[] = [];
  for (let count = 0; count < 3; count++) servers.push(await startNativeRedis(settings));
  const nodes = servers.map(({ url }) => new Redis(url));
  const first = new URL((servers[0] as Service).url);

  const share = Math.ceil(16_384 / nodes.length);
  for (const [index, node] of nodes.entries()) {
    const last = Math.min((index + 1) * share, 16_384) - 1;
    await node.cluster('ADDSLOTSRANGE', index * share, last);
    await node.cluster('SET-CONFIG-EPOCH', index + 1);
    await node.cluster('MEET', first.hostname, Number(first.port));
  }
  for (const node of nodes) await agreed(node, nodes.length);
  for (const node of nodes) node.disconnect();
  return {
    urls: servers.map(({ url }) => url),
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

async function agreed(node: Redis, size: number): Promise<void> {
  for (;;) {
    const info = await node.cluster('INFO');
    const knowsAll = info.includes(`cluster_known_nodes:${size}`);
    if (info.includes('cluster_state:ok') && knowsAll) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
