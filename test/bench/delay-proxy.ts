import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { openAlarm } from './alarm.ts';
import { type Spread, spreadOf } from './spread.ts';

export interface DelayProxy extends AsyncDisposable {
  /** The same URL, by way of the proxy. */
  readonly url: string;
}

export interface DelayProxyOptions {
  /** How much longer a round trip takes. */
  readonly roundTripMs: number;
}

/**
 * A server on this machine as if it stood further away: what is sent arrives in order, half of the
 * time later, in both directions. It has no limit of bandwidth, and loses nothing.
 */
export async function openDelayProxy(
  target: string,
  { roundTripMs }: DelayProxyOptions,
): Promise<DelayProxy> {
  const { hostname: host, port } = new URL(target);
  const sockets = new Set<Socket>();
  const line = openDelayLine(roundTripMs / 2);
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (near) => {
    const far = connect({ host, port: Number(port), noDelay: true, allowHalfOpen: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => line.delay(() => to.write(chunk)));
      from.on('end', () => line.delay(() => to.end()));
      from.on('error', () => to.destroy());
      from.on('close', () => sockets.delete(from));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const through = new URL(target);
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: through.href,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await line[Symbol.asyncDispose]();
    },
  };
}

/** Does things later, all of them by the same time: so their order stays, and one alarm will do. */
function openDelayLine(ms: number) {
  const ahead: { readonly at: number; readonly act: () => void }[] = [];
  const alarm = openAlarm(() => {
    const now = alarm.now();
    while (ahead[0] && ahead[0].at <= now) ahead.shift()?.act();
    if (ahead[0]) alarm.set(ahead[0].at);
  });
  return {
    delay(act: () => void) {
      const at = alarm.now() + ms;
      ahead.push({ at, act });
      if (ahead.length === 1) alarm.set(at);
    },
    [Symbol.asyncDispose]: () => alarm[Symbol.asyncDispose](),
  };
}

/**
 * What to ask of a proxy so that a round trip really takes so much longer: the two sockets more on
 * the way, and being woken up, take some tenths of a millisecond by themselves.
 */
export async function calibrateDelay(roundTripMs: number): Promise<DelayProxyOptions> {
  const asked = roundTripMs / 2;
  const { median } = await measureDelay({ roundTripMs: asked }, 100);
  return { roundTripMs: Math.max(0, roundTripMs - (median - asked)) };
}

/** What a round trip through the proxy takes more than without it, in milliseconds. */
export async function measureDelay(options: DelayProxyOptions, rounds: number): Promise<Spread> {
  const server = createServer({ noDelay: true }, (socket) => void socket.pipe(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const direct = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await using proxy = await openDelayProxy(direct, options);
  const [near, far] = [dial(direct), dial(proxy.url)];
  const addedMs: number[] = [];
  for (let round = -10; round < rounds; round++) {
    const added = (await roundTripMs(far)) - (await roundTripMs(near));
    if (round >= 0) addedMs.push(added);
  }
  for (const socket of [near, far]) socket.destroy();
  server.close();
  return spreadOf(addedMs);
}

function dial(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect({ host: hostname, port: Number(port), noDelay: true });
}

async function roundTripMs(socket: Socket): Promise<number> {
  const startedAt = performance.now();
  socket.write('ping');
  await once(socket, 'data');
  return performance.now() - startedAt;
}
