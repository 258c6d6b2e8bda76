import { setImmediate } from 'node:timers/promises';
import { createFingerprinter } from '../../packages/server/src/fingerprint/fingerprint.ts';
import type { Findings } from './findings.ts';
import { type Contestant, interleave, type InterleaveOptions } from './interleave.ts';
import { type Spread, spreadOf } from './spread.ts';

/** What it takes to fingerprint an input, as a multiple of `JSON.stringify` of the same input. */
export async function measureFingerprint(options: InterleaveOptions): Promise<Findings> {
  const figures: Record<string, Spread> = {};
  for (const [size, bytes] of Object.entries(sizes)) {
    const input = orderOf(bytes);
    const samples = await interleave(
      {
        stringify: inOneGo(() => JSON.stringify(input).length),
        fingerprint: inOneGo(() => fingerprint(input)),
      },
      options,
    );
    figures[`fingerprint.${size}.vs_json_stringify`] = spreadOf(
      samples.fingerprint.map((micros, round) => micros / (samples.stringify[round] ?? NaN)),
    );
  }
  return { figures: { ...figures, ...(await measureBlocking(options)) } };
}

const sizes = { '200b': 200, '4kb': 4_096, '100kb': 102_400 };

const fingerprinter = createFingerprinter();

function fingerprint(input: unknown): unknown {
  return fingerprinter.of({ scope: 'alice', operation: 'orders.create', input });
}

/** For work that never waits: an await for each piece of it would cost more than the work. */
function inOneGo(work: () => unknown): Contestant {
  return async (count) => {
    const startedAt = performance.now();
    for (let done = 0; done < count; done++) work();
    return (performance.now() - startedAt) * 1_000;
  };
}

/** How long nothing else of a process can run at a time, for inputs of a megabyte. */
async function measureBlocking({ rounds }: InterleaveOptions): Promise<Record<string, Spread>> {
  const text = JSON.stringify(orderOf(1_048_576));
  const parsing: number[] = [];
  const fingerprinting: number[] = [];
  const taking: number[] = [];
  // The first ones are to warm up.
  for (let round = -3; round < rounds; round++) {
    const begin = workMs();
    const input: unknown = JSON.parse(text);
    const parsed = workMs();
    const longest = await longestPause(fingerprint(input), parsed);
    const end = workMs();
    if (round < 0) continue;
    parsing.push(parsed - begin);
    fingerprinting.push(longest);
    taking.push(end - parsed);
  }
  return {
    'fingerprint.1mb.blocks_ms': spreadOf(fingerprinting),
    'fingerprint.1mb.takes_ms': spreadOf(taking),
    'fingerprint.1mb.json_parse_ms': spreadOf(parsing),
  };
}

/** What this process has worked so far: what else the machine does keeps others waiting as well. */
function workMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The longest that somebody else had to wait for their turn, until `work` was done. */
async function longestPause(work: unknown, begunAt: number): Promise<number> {
  let longest = workMs() - begunAt;
  let done = false;
  const over = () => (done = true);
  Promise.resolve(work).then(over, over);
  for (let at = workMs(); !done;) {
    await setImmediate();
    const now = workMs();
    longest = Math.max(longest, now - at);
    at = now;
  }
  return longest;
}

/** An order with as many items as fit in so many bytes, whose members are in nobody's order. */
function orderOf(bytes: number): object {
  const order = { customer: 'cus_1042', currency: 'EUR', capture: true, items: [] as object[] };
  for (let size = JSON.stringify(order).length, at = 0; size < bytes; at++) {
    const item = {
      ...{ sku: `SKU-${at}`, quantity: (at % 7) + 1, cents: 1_999 + at, title: `Number ${at}` },
      ...{ options: { colour: 'red', size: 'XL', gift: false }, note: null },
    };
    order.items.push(item);
    size += JSON.stringify(item).length + 1;
  }
  return order;
}
