import { readFileSync } from 'node:fs';
import { allFindings, type Findings, ratesOf } from '../findings.ts';
import {
  type Contestant,
  interleave,
  type InterleaveOptions,
  type Samples,
} from '../interleave.ts';
import { openServer } from '../open-server.ts';
import { spreadOf } from '../spread.ts';
import { timesAsMany } from '../times-as-many.ts';
import { allEntries, entries, kits } from './entries.ts';
import { floorOf } from './floors.ts';
import type { PeerEntry } from './peer.ts';
import { besideSpeed, readSafety } from './safety.ts';
import { type RunningPeer, startPeer } from './start-peer.ts';

/** Other libraries beside this kit, on the same server. */
export async function measurePeers(options: InterleaveOptions): Promise<Findings> {
  const compared = readSafety(readFileSync('docs/compared.md', 'utf8'));
  const findings = allFindings([
    await measureOn('redis', options),
    await measureOn('postgres', options),
    { figures: {}, missing },
  ]);
  return { ...findings, beside: besideSpeed(entries, findings.figures, compared) };
}

/** Why there is no figure. */
const missing = {
  'peers.node_idempotency_postgres': 'its adapter for PostgreSQL is not compared',
};

/** All that use one kind of server, in turns on one of them. */
async function measureOn(store: PeerEntry['store'], options: InterleaveOptions): Promise<Findings> {
  await using server = await openServer(store);
  const here = allEntries.filter((entry) => entry.store === store);
  const usual = { redis: kits.ioredis, postgres: kits.pg }[store];
  const names = new Set(here.flatMap(({ name, driver }) => [name, floorOf(driver)]));
  const running = new Map<string, RunningPeer>();
  try {
    for (const name of names) running.set(name, await startPeer(name, server.url));
    const races = [await race('fresh', running, options), await race('replay', running, options)];
    const findings: Findings[] = [{ figures: {}, against: [server.version] }];
    for (const entry of here) {
      findings.push(...races.map((one) => findingsOf(entry, usual, one)));
      const twice = await running.get(entry.name)!.doubleExecutions();
      findings.push({ figures: { [`peers.${entry.name}.double_executions`]: spreadOf([twice]) } });
    }
    return allFindings(findings);
  } finally {
    for (const peer of running.values()) await peer[Symbol.asyncDispose]();
  }
}

interface Race {
  readonly kind: 'fresh' | 'replay';
  readonly samples: Samples<string>;
}

async function race(
  kind: Race['kind'],
  running: ReadonlyMap<string, RunningPeer>,
  options: InterleaveOptions,
): Promise<Race> {
  const contestants: Record<string, Contestant> = {};
  for (const [name, peer] of running) contestants[name] = peer[kind];
  return { kind, samples: await interleave(contestants, options) };
}

/**
 * The kit beside a library on the same driver, and each beside the naive recipe on its own. `usual`
 * is the kit on the driver that it is mostly used with.
 */
function findingsOf(entry: PeerEntry, usual: PeerEntry, { kind, samples }: Race): Findings {
  const { name, driver } = entry;
  const of = (one: PeerEntry) => samples[one.name]!;
  const floorUnder = (one: PeerEntry) => samples[floorOf(one.driver)]!;
  const [own, kit] = [of(entry), kits[driver]];
  const versusFloor = {
    [`peers.${name}.${kind}.vs_own_driver`]: timesAsMany(own, floorUnder(entry)),
  };
  if (entry === kit) return { figures: versusFloor };
  const figure = `peers.${name}.${kind}.64`;
  const byBaseline = () =>
    timesAsMany(inTermsOf(of(usual), floorUnder(usual)), inTermsOf(own, floorUnder(entry)));
  return {
    figures: {
      [figure]: timesAsMany(of(kit), own),
      ...(usual !== kit && {
        [`${figure}.on_${usual.driver}`]: timesAsMany(of(usual), own),
        [`${figure}.by_baseline`]: byBaseline(),
      }),
      ...versusFloor,
    },
    rates: ratesOf(`peers.${name}.${kind}`, 64, { kit: of(kit), peer: own }),
  };
}

/** What it takes beside its baseline, round by round: a library cannot be faster than its driver. */
function inTermsOf(micros: readonly number[], baseline: readonly number[]): number[] {
  return micros.map((each, round) => each / (baseline[round] ?? NaN));
}
