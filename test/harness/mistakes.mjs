/**
 * A mistake that others have made, and what notices when it is made here.
 *
 * @typedef {object} Mistake
 * @property {string} mistake
 * @property {string[]} [model] configurations of `test/model` in which it is made
 * @property {string[]} [simulator] mutants of `test/mutants/simulation.mjs`, by name
 * @property {{ mutant: string, breach: string }[]} [chaos] mutants, by list and name, that break this rule of `test/chaos`
 * @property {string} besides what else finds it
 */

/**
 * The table of docs/harness.md, row by row.
 *
 * @type {readonly Mistake[]}
 */
export const mistakes = [
  {
    mistake: 'no fence',
    model: ['S4', 'D2'],
    simulator: ['no fence'],
    besides: '`memory.mjs`, `postgres.mjs`, `redis.mjs`',
  },
  {
    mistake: 'a fence that asks for the token and not for the state',
    model: ['E8'],
    simulator: ['a fence that asks for the token and not for the state'],
    besides: '`postgres.mjs`, `redis.mjs`',
  },
  {
    mistake: 'tokens that are given twice (a counter)',
    model: ['S5'],
    simulator: ['one token for all attempts'],
    besides: '`postgres.mjs`, `redis.mjs`',
  },
  {
    mistake: 'a stale lease of an outside effect is granted again',
    model: ['E3', 'E4'],
    simulator: [
      'a stale lease is granted again, whatever the effect',
      'a sweep frees stale leases, whatever the effect',
    ],
    besides: '`engine.mjs`, `redis.mjs`',
  },
  {
    mistake: 'absence counts without a quiet time',
    model: ['R3'],
    simulator: ['absence counts without a quiet time'],
    besides: '`reconciler.mjs`, `redis.mjs`',
  },
  {
    mistake: 'the quiet time of an earlier attempt counts',
    model: ['R4'],
    besides: '`postgres.mjs`',
  },
  {
    mistake: 'the look began before the quiet time was over',
    model: ['R5'],
    besides: '`reconciler.mjs`',
  },
  {
    mistake: 'answered before it is stored',
    model: ['A4'],
    simulator: ['answered before it is stored'],
    besides: '`call-store.test.ts`',
  },
  {
    mistake: 'a lost answer to COMMIT is taken for a rollback',
    model: ['A5'],
    besides: '`postgres.mjs`, `crashes.mjs`',
  },
  {
    mistake: 'what may have happened is released',
    model: ['E8'],
    simulator: ['what may have happened is released'],
    besides: '`engine.mjs`',
  },
  { mistake: 'reserve reads, then writes', model: ['A3', 'E5'], besides: '`test/races`' },
  { mistake: 'Redis: SET without NX', model: ['E5'], besides: '`redis.mjs`' },
  {
    mistake: 'records never expire (Redis: no PX)',
    simulator: ['records are never pruned'],
    besides: '`redis.mjs`',
  },
  { mistake: 'Redis: nobody waits for a replica', model: ['F2'], besides: '`redis.mjs`' },
  {
    mistake: 'leases by a clock that stands still (PostgreSQL: `now()`)',
    simulator: ['a renewed lease runs out as if the clock had stood still'],
    besides: '`postgres.mjs`',
  },
  {
    mistake: 'leases by the caller’s clock',
    simulator: ['leases by the clock of the caller'],
    besides: '`postgres.mjs`',
  },
  {
    mistake: 'the fingerprint is compared after the state',
    simulator: ['the fingerprint is compared only while the record is in progress'],
    besides: '`memory.mjs`, `postgres.mjs`, `redis.mjs`',
  },
  {
    mistake: 'the fingerprint ignores the operation',
    simulator: ['the fingerprint ignores the operation'],
    besides: '`fingerprint.mjs`',
  },
  {
    mistake: 'canonical JSON that drops `__proto__`',
    simulator: ['a __proto__ member does not count'],
    besides: '`fingerprint.mjs`',
  },
  {
    mistake: 'pruned by the age of the row',
    model: ['H5'],
    simulator: ['pruned by the age of the record'],
    besides: '`postgres.mjs`, `redis.mjs`',
  },
  {
    mistake: 'no horizon',
    model: ['H3'],
    simulator: ['no horizon'],
    besides: '`postgres.mjs`, `redis.mjs`',
  },
  { mistake: 'no bound for keys of the future', model: ['H7'], besides: '`engine.mjs`' },
  {
    mistake: 'executed when the store fails',
    model: ['E6'],
    simulator: ['executed when the store has not answered'],
    besides: '`call-store.test.ts`',
  },
  {
    mistake: 'executed again when an answer cannot be read',
    simulator: ['executed again when an answer cannot be read'],
    besides: '`answers/`',
  },
  {
    mistake: 'a scope is missing from a query',
    simulator: ['records of all scopes under one name'],
    besides: '`postgres.mjs`, `redis.mjs`',
  },
  {
    mistake: '`Set-Cookie` is stored',
    chaos: [
      {
        mutant: 'fetch: cookies are replayed',
        breach: 'replays that set the cookie of the first answer',
      },
    ],
    besides: '`fetch.mjs`, `graphql.mjs`',
  },
  {
    mistake: 'a lease that was lost is renewed all the same',
    simulator: ['a lease that was lost is renewed all the same'],
    besides: '`engine.mjs`',
  },
  {
    mistake: 'finished steps are forgotten',
    simulator: ['finished steps are forgotten with their attempt'],
    besides: '`engine.mjs`',
  },
  {
    mistake: 'journal: sent before it is written down',
    model: ['J4'],
    besides: '`journal.mjs`',
  },
  {
    mistake: 'journal: not marked as sent before it is',
    model: ['J9'],
    besides: '`journal.mjs`',
  },
  {
    mistake: 'journal: another key after a failure',
    model: ['J6'],
    simulator: ['another key after every failure'],
    besides: '`journal.mjs`',
  },
  {
    mistake: 'journal: removed before anybody is told',
    model: ['J5'],
    simulator: ['removed before anybody is told'],
    chaos: [
      {
        mutant: 'journal: a record is removed before its handlers have taken the answer',
        breach: 'intents that a device had written down, and never settled',
      },
    ],
    besides: '`journal.mjs`',
  },
  {
    mistake: 'journal: sent for another user',
    model: ['J12'],
    simulator: ['sent for whoever is signed in'],
    besides: '`journal.mjs`',
  },
  {
    mistake: 'journal: other bytes on a retry',
    simulator: ['other bytes on every attempt'],
    besides: '`packages/client/test/journal-rules`',
  },
  {
    mistake: 'journal: old keys are sent, and there is no horizon',
    model: ['J10'],
    besides: '`journal.mjs`',
  },
  {
    mistake: 'an unknown outcome is told as a failure',
    simulator: ['the server is not asked again about an unknown outcome'],
    besides: '`verdict.test.ts`',
  },
];
