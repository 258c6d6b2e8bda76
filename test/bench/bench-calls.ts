import { formatKeyHeader, mintKey } from '@onceward/core';
import { benchRequests, type BenchRequest, type Framework } from './bench-requests.ts';

/** What is sent: a mutation with a key of its own, or with one that was sent before; a query. */
export type CallKind = 'keyed' | 'replayed' | 'query';

export interface BenchCall extends BenchRequest {
  readonly headers: Readonly<Record<string, string>>;
}

/** The calls, ready to be sent: minting a key is the work of a client, so it is not measured. */
export function callsOf(framework: Framework, kind: CallKind, count: number): BenchCall[] {
  const { mutation, query } = benchRequests[framework];
  const request = kind === 'query' ? query : mutation;
  return Array.from({ length: count }, () => ({ ...request, headers: headersOf(kind) }));
}

function headersOf(kind: CallKind): Record<string, string> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  switch (kind) {
    case 'keyed':
      return { ...headers, 'idempotency-key': formatKeyHeader(mintKey()) };
    case 'replayed':
      return { ...headers, 'idempotency-key': knownKey() };
    case 'query':
      return headers;
  }
}

const knownKey = (() => {
  let known: string | undefined;
  return () => (known ??= formatKeyHeader(mintKey()));
})();

/** Sends calls, a few at a time. */
export async function sendAtOnce(calls: readonly BenchCall[], send: SendCall): Promise<void> {
  const left = calls.values();
  await Promise.all(Array.from({ length: 8 }, () => sendAll(left, send)));
}

/**
 * Sends calls one after the other, and says how many microseconds this process was working, on all
 * its threads: what else the machine does meanwhile does not count.
 */
export async function workOfCalls(calls: readonly BenchCall[], send: SendCall): Promise<number> {
  const before = process.cpuUsage();
  await sendAll(calls, send);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Resolves with the status. */
export type SendCall = (call: BenchCall) => Promise<number>;

async function sendAll(calls: Iterable<BenchCall>, send: SendCall): Promise<void> {
  for (const call of calls) {
    const status = await send(call);
    if (status !== 200) throw new Error(`Expected every call to succeed, got ${status}`);
  }
}
