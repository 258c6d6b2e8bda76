import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deferred } from '../support/deferred.ts';
import { killNow, type Program } from '../support/node-process.ts';
import type { Example, ShopOrder } from './shop-process.ts';

/** Where a server dies: at a point of the engine, at one of the provider, or at any moment. */
export const crashSites = [
  'before-reserve',
  'after-reserve',
  'before-execute',
  'the provider is asked',
  'the provider has charged',
  'after-execute',
  'before-complete',
  'after-complete',
  'answered',
  'any moment',
] as const;

export type CrashSite = (typeof crashSites)[number];

export interface SlotOptions {
  readonly program: Program;
  readonly example: Example;
  readonly databaseUrl: string;
  readonly provider: { readonly listener: RequestListener };
  readonly random: () => number;
}

/** The place of one server after the other. */
export interface Slot extends AsyncDisposable {
  /** The address of its server, as soon as one is up. */
  url(): Promise<string>;
  /** Starts a server and answers where it died. */
  crash(): Promise<CrashSite>;
  /** Starts a server that lives. */
  start(): Promise<void>;
}

/** Each slot has a line of its own to the provider, which so knows whom a request is from. */
export async function openSlot(options: SlotOptions): Promise<Slot> {
  const { program, example, databaseUrl, random } = options;
  let running: ChildProcess | undefined;
  let up = deferred<string>();
  let doomed: CrashSite | undefined;
  const line = createServer((request, response) => {
    // Looking something up is no part of a payment.
    const victim = request.method === 'POST' ? running : undefined;
    if (doomed === 'the provider is asked') victim?.kill('SIGKILL');
    const end = response.end.bind(response);
    response.end = ((body: string) => {
      if (doomed === 'the provider has charged') victim?.kill('SIGKILL');
      setTimeout(() => end(body), random() * 10);
    }) as typeof response.end;
    // At once, or when whoever asked may be gone.
    if (random() < 0.5) options.provider.listener(request, response);
    else setTimeout(() => options.provider.listener(request, response), random() * 10);
  });
  line.listen(0, '127.0.0.1');
  await once(line, 'listening');
  const providerUrl = `http://127.0.0.1:${(line.address() as AddressInfo).port}`;

  const start = async (dieAt?: ShopOrder['dieAt']): Promise<ChildProcess> => {
    const order: ShopOrder = { example, databaseUrl, providerUrl, dieAt };
    const child = program.start(order);
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    up.resolve(`http://127.0.0.1:${port}`);
    return (running = child);
  };

  return {
    url: () => up.promise,
    async crash() {
      const site = crashSites[Math.floor(random() * crashSites.length)] as CrashSite;
      const inside = site.startsWith('the provider') || site === 'any moment' ? undefined : site;
      const time = 1 + Math.floor(random() * 5);
      const child = await start(inside && ({ point: inside, time } as ShopOrder['dieAt']));
      const ended = once(child, 'exit');
      doomed = site;
      // Nor is a server spared that nobody has asked for anything by then.
      const patienceMs = site === 'any moment' ? random() * 100 : 3_000;
      const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
      const startedAt = Date.now();
      await ended;
      up = deferred<string>();
      clearTimeout(timer);
      doomed = undefined;
      return Date.now() - startedAt < 3_000 ? site : 'any moment';
    },
    async start() {
      await start();
    },
    async [Symbol.asyncDispose]() {
      if (running && running.exitCode === null && running.signalCode === null) {
        await killNow(running);
      }
      line.close();
      line.closeAllConnections();
    },
  };
}
