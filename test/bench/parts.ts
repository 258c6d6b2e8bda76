import { measureCaches } from './caches.ts';
import type { Findings } from './findings.ts';
import { measureFingerprint } from './fingerprint.ts';
import { type FrameworkOptions, measureFramework } from './frameworks.ts';
import { measureGrowth } from './growth.ts';
import type { InterleaveOptions } from './interleave.ts';
import { measureJournal } from './journal.ts';
import { measurePeers } from './peers/measure-peers.ts';
import { measurePostgres } from './postgres/measure-postgres.ts';
import { measureRedis } from './redis.ts';
import { measureRetention } from './retention.ts';
import { measureStress } from './stress.ts';

export interface PartOptions {
  /** A few minutes altogether, and noisier. */
  readonly quick: boolean;
  readonly onRound: NonNullable<InterleaveOptions['onRound']>;
}

export interface Part {
  /** For people: what is measured. */
  readonly about: string;
  measure(options: PartOptions): Promise<Findings>;
}

/** What can be asked for by name, in the order in which it is measured. */
export const parts: Readonly<Record<string, Part>> = {
  yoga: {
    about: 'what the kit adds to GraphQL Yoga',
    measure: (options) => measureFramework('yoga', frameworks(options)),
  },
  trpc: {
    about: 'what the kit adds to tRPC',
    measure: (options) => measureFramework('trpc', frameworks(options)),
  },
  caches: {
    about: 'what the kit makes servers fetch',
    measure: measureCaches,
  },
  fingerprint: {
    about: 'fingerprints of inputs',
    measure: (options) => measureFingerprint(shares(options)),
  },
  journal: {
    about: 'a journal in Chromium',
    measure: async (options) => ({ figures: await measureJournal(shares(options)) }),
  },
  redis: {
    about: 'the store in Redis',
    measure: (options) => measureRedis(shortTurns(options)),
  },
  peers: {
    about: 'other libraries',
    measure: (options) => measurePeers(shortTurns(options)),
  },
  pg: {
    about: 'the store in PostgreSQL',
    measure: (options) => measurePostgres(stores(options)),
  },
  growth: {
    about: 'new keys among millions',
    measure: (options) =>
      measureGrowth({ ...stores(options), keys: options.quick ? 200_000 : 5_000_000 }),
  },
  stress: {
    about: 'three servers and duplicates',
    measure: ({ quick }) => measureStress({ durationMs: quick ? 4_000 : 30_000 }),
  },
  retention: {
    about: 'forgetting keys',
    measure: ({ quick }) => measureRetention({ keys: quick ? 100_000 : 1_000_000 }),
  },
};

/** Small differences, so that it takes many rounds to see them. */
function shares({ quick, onRound }: PartOptions): InterleaveOptions {
  return { ...(quick ? { rounds: 9, sliceMs: 100 } : { rounds: 25, sliceMs: 300 }), onRound };
}

/** Of processes that do the same but for a little: what the machine does meanwhile must hit them alike. */
function frameworks({ quick, onRound }: PartOptions): FrameworkOptions {
  return quick
    ? { generations: 3, rounds: 9, sliceMs: 40, onRound }
    : { generations: 30, rounds: 24, sliceMs: 60, warmUpMs: 5_000, onRound };
}

function stores({ quick, onRound }: PartOptions): InterleaveOptions {
  return { ...(quick ? { rounds: 3, sliceMs: 120 } : { rounds: 7, sliceMs: 600 }), onRound };
}

/** Many short turns: what disturbs one of them disturbs its neighbours as well. */
function shortTurns({ quick, onRound }: PartOptions): InterleaveOptions {
  const turns = quick
    ? { rounds: 5, sliceMs: 60, warmUpMs: 300 }
    : { rounds: 31, sliceMs: 150, warmUpMs: 3_000 };
  return { ...turns, onRound };
}
