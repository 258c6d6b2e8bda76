import type { RequestListener } from 'node:http';
import type { payment } from './bench-requests.ts';

/** An API, as a framework alone serves it or with the kit in it. */
export interface BenchApp {
  /** The framework's own handler of a `Request`. */
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** The framework's own handler for `node:http`. */
  readonly listener: RequestListener;
}

/** What is in the framework: nothing, the kit, or the least that anything like it has to do. */
export type Protection = 'none' | 'bare' | 'onceward';

/** What every operation of the benchmark does: nothing that takes time. */
export async function pay({ cents, to }: Pick<typeof payment, 'cents' | 'to'>) {
  return { id: 'payment-1', to, cents, status: 'accepted' };
}
