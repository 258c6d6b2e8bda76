import fc from 'fast-check';
import { type Fate, fates } from './bank.ts';

export const users = ['alice', 'bob'] as const;

export type User = (typeof users)[number];

/** What happens next. Pages and intents are named by numbers, modulo how many there are. */
export type Step =
  | {
      readonly do: 'submit';
      readonly page: number;
      readonly lane: string | null;
      readonly after: number | null;
      readonly intent: string | undefined;
    }
  | { readonly do: 'cancel'; readonly intent: number }
  | {
      readonly do: 'damage';
      readonly intent: number;
      readonly how: keyof typeof damages;
      /** Whether whoever did it tells the others, as a later version of the application does. */
      readonly told: boolean;
    }
  | {
      readonly do: 'resolve';
      readonly intent: number;
      readonly as: 'executed' | 'send-again' | 'discard';
    }
  | { readonly do: 'open'; readonly handlers: 'none' | 'fine' | 'failing' }
  | { readonly do: 'kill' | 'close' | 'pause' | 'resume'; readonly page: number }
  | {
      readonly do: 'kill-in';
      readonly page: number;
      readonly calls: number;
      readonly when: 'before' | 'after';
    }
  | { readonly do: 'fates'; readonly fates: readonly Fate[] }
  | { readonly do: 'online' | 'writes-fail' | 'reads-fail'; readonly is: boolean }
  | { readonly do: 'advance' | 'suspend' | 'set-clock'; readonly ms: number }
  | { readonly do: 'sign-in' | 'depose'; readonly user: User }
  | { readonly do: 'turn' };

/** What becomes of a body. */
export const damages = {
  'a later version': (body: string) => body.replace(/^1:/, '2:'),
  'another letter': (body: string) => body.replace('order', 'ordex'),
  'another number': (body: string) => body.replace(/"attempts":\d+/, '"attempts":77'),
  'its end is missing': (body: string) => body.slice(0, -20),
  'its beginning is missing': (body: string) => body.slice(20),
  'something else': () => '{"seq":1}',
  nothing: () => '',
};

/** A story of a device. */
export interface Schedule {
  readonly tabs: 'one leads' | 'all lead' | 'all lead, and are deaf';
  readonly maxRecords: number;
  /** How many turns each call of a store takes, in turn. */
  readonly turns: readonly number[];
  /** Whether encoding and decoding take as long, so that what was read first may be seen last. */
  readonly codec: boolean;
  readonly steps: readonly Step[];
  /** Whether the pages that are left end before the last one opens. */
  readonly restart: boolean;
}

const index = fc.nat(5);
const minute = 60_000;
const hour = 60 * minute;

const submit = fc.record({
  do: fc.constant('submit' as const),
  page: index,
  lane: fc.constantFrom(null, null, 'left', 'right'),
  after: fc.option(index, { freq: 4 }),
  intent: fc.constantFrom(undefined, undefined, undefined, 'order 1', 'order 2'),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: submit },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), intent: index }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('damage' as const),
      intent: index,
      how: fc.constantFrom(...(Object.keys(damages) as (keyof typeof damages)[])),
      told: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('resolve' as const),
      intent: index,
      as: fc.constantFrom('executed', 'send-again', 'discard'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('open' as const),
      handlers: fc.constantFrom('none', 'fine', 'failing'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('kill', 'close', 'pause', 'resume', 'resume'),
      page: index,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('kill-in' as const),
      page: index,
      calls: fc.integer({ min: 1, max: 6 }),
      when: fc.constantFrom('before', 'after'),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('fates' as const),
      fates: fc.array(fc.constantFrom(...fates), { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('online', 'online', 'writes-fail', 'reads-fail'),
      is: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      ms: fc.constantFrom(0, 0, 1_000, 20_000, 10 * minute, 23 * hour),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('suspend' as const),
      ms: fc.constantFrom(minute, hour, 25 * hour),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('set-clock' as const),
      ms: fc.constantFrom(-48 * hour, -hour, -minute, minute, hour, 48 * hour),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('sign-in', 'depose'),
      user: fc.constantFrom(...users),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ do: 'turn' as const }) },
);

export const schedules: fc.Arbitrary<Schedule> = fc.record({
  tabs: fc.constantFrom('one leads', 'one leads', 'all lead', 'all lead, and are deaf'),
  maxRecords: fc.constantFrom(3, 100),
  turns: fc.array(fc.nat(4), { minLength: 1, maxLength: 7 }),
  codec: fc.boolean(),
  steps: fc.array(step, { minLength: 1, maxLength: 30, size: 'max' }),
  restart: fc.boolean(),
});
