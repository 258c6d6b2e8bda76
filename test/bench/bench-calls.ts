import { formatKeyHeader, mintKey } from '@onceward/core';
import { benchRequests, type BenchRequest, type Framework } from './bench-requests.ts';

/** What is sent: a mutation with a key of its own, one that was sent before, or none; a query. */
export type CallKind = 'unkeyed' | 'keyed' | 'replayed' | 'query';

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
    case 'unkeyed':
    case 'query':
      return headers;
  }
}

const knownKey = (() => {
  let known: string | undefined;
  return () => (known ??= formatKeyHeader(mintKey()));
})();

/** Sends calls one after the other, and says how many microseconds that took. */
export async function timeCalls(
  calls: readonly BenchCall[],
  send: (call: BenchCall) => Promise<number>,
): Promise<number> {
  const startedAt = process.hrtime.bigint();
  for (const call of calls) {
    const status = await send(call);
    if (status !== 200) throw new Error(`Expected every call to succeed, got ${status}`);
  }
  return Number(process.hrtime.bigint() - startedAt) / 1_000;
}
