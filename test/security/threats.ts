/** One way to attack an application through its idempotency, and where the defence is tested. */
export interface Threat {
  readonly id: string;
  /** What somebody attempts. */
  readonly threat: string;
  /** What happens instead. */
  readonly defence: string;
  /** The test, beside this file; `null` when there is nothing to test yet. */
  readonly test: string | null;
  /** Where else it is tested: some test in that folder has the word in its name. */
  readonly elsewhere?: { readonly folder: string; readonly word: string };
  /** Why there is no test here. */
  readonly reason?: string;
}

/** The threat table of docs/threat-model.md, row by row. */
export const threats: readonly Threat[] = [
  {
    id: 'S1',
    threat: 'read or block the answers of another tenant with their key',
    defence:
      'the scope comes from authentication and is part of every record’s name; no scope, no service',
    test: 'cross-tenant.test.ts',
  },
  {
    id: 'S2',
    threat: 'find out whether somebody else has used a key',
    defence: 'a foreign key gets the same answer, and the same work, as a fresh one',
    test: 'key-oracle.test.ts',
  },
  {
    id: 'S3',
    threat: 'fill the store with keys',
    defence:
      '`quota.newKeys` per scope is 429; nothing is stored before caller, key and input are good; a Redis that evicts is refused',
    test: 'key-spraying.test.ts',
  },
  {
    id: 'S4',
    threat: 'send keys that are too long, sent twice, or not keys',
    defence: '400 by length and syntax before anything is hashed or looked up',
    test: 'key-syntax.test.ts',
  },
  {
    id: 'S5',
    threat: 'send a body without end',
    defence:
      'the limit of the host applies first; no lease is taken before the body is whole, and 32 bytes of it are stored',
    test: 'large-inputs.test.ts',
  },
  {
    id: 'S6',
    threat: 'make an answer that cannot be stored, so that a retry executes again',
    defence: 'it is delivered once; duplicates get 410 and execute nothing',
    test: 'large-answers.test.ts',
  },
  {
    id: 'S7',
    threat: 'exhaust the CPU or the stack with deep or wide JSON',
    defence: '64 levels and a million values, then 400',
    test: 'deep-inputs.test.ts',
  },
  {
    id: 'S8',
    threat: 'pollute prototypes, or hide a difference in `__proto__`',
    defence:
      'names that mean something to JavaScript are members like any other, in inputs and in answers',
    test: 'prototype-pollution.test.ts',
  },
  {
    id: 'S9',
    threat: 'send two inputs that parse to one, or that normalise to one',
    defence:
      'numbers whose digits were lost and halves of surrogate pairs are 400; texts are never normalised',
    test: 'number-ambiguity.test.ts',
  },
  {
    id: 'S10',
    threat: 'fetch an old answer after the right to it was revoked',
    defence: 'rights are checked on every attempt, before the key is looked up',
    test: 'revoked-rights.test.ts',
  },
  {
    id: 'S11',
    threat: 'receive somebody’s `Set-Cookie` or other headers with a replay',
    defence: 'headers are not stored: a replay has those of its own response',
    test: 'replayed-headers.test.ts',
  },
  {
    id: 'S12',
    threat: 'find keys or personal data in logs, traces and metrics',
    defence: 'events, spans, metrics and refusals contain none; labels are few',
    test: 'private-telemetry.test.ts',
  },
  {
    id: 'S13',
    threat: 'read stored answers from a backup, or move them between records',
    defence:
      'inputs and headers are never stored; `encryption` binds an answer to its record with AES-256-GCM',
    test: 'secrets-at-rest.test.ts',
  },
  {
    id: 'S14',
    threat: 'relate inputs of tenants, or guess them, by their fingerprints',
    defence: 'HMAC-SHA-256 with a key per scope, all 256 bits, and a secret of your own',
    test: 'fingerprint-correlation.test.ts',
  },
  {
    id: 'S15',
    threat: 'split responses with what is stored or sent',
    defence: 'neither stored answers nor keys reach a header',
    test: 'response-splitting.test.ts',
  },
  {
    id: 'S16',
    threat: 'forge lines in logs and terminals',
    defence:
      'keys and operations are printable ASCII; what the command line prints is shown as text',
    test: 'log-injection.test.ts',
  },
  {
    id: 'S17',
    threat: 'inject SQL or Lua through names, scopes and keys',
    defence: 'values are parameters, scripts are constant, schema and prefix are checked',
    test: 'injection.test.ts',
  },
  {
    id: 'S18',
    threat: 'hold leases, or connections that wait for them',
    defence:
      '`quota.maxInProgress` per scope, `maxExecutionMs`, bounded waiting; a slow body holds no lease',
    test: 'lease-hoarding.test.ts',
  },
  {
    id: 'S19',
    threat: 'guess a key and use it first',
    defence:
      '62 unpredictable bits beyond the key before it, from a cryptographic source; and it would be a record of one’s own',
    test: 'guessed-keys.test.ts',
  },
  {
    id: 'S20',
    threat: 'claim in a request that it is a replay',
    defence: 'what a request says about anything but its key is ignored',
    test: 'spoofed-markers.test.ts',
  },
  {
    id: 'S21',
    threat: 'let two mutations of one client share a key',
    defence: 'a key belongs to a call, never to a client or its defaults',
    test: 'shared-clients.test.ts',
  },
  {
    id: 'S22',
    threat: 'take the store down, so that duplicates pass',
    defence:
      'any doubt is 503 before the handler runs; options that are not understood stop the start',
    test: 'fail-closed.test.ts',
  },
  {
    id: 'S23',
    threat: 'use the operator’s page without being one',
    defence:
      'closed unless `authorize` says who it is; changed by POST alone, from its own origin with a token; payloads hidden; every decision and every look is on the record',
    test: 'operator-console.test.ts',
  },
  {
    id: 'S24',
    threat: 'read or send what another user left in the journal of a shared device',
    defence:
      'rows belong to a scope, hold no tokens, can be encrypted by a codec, and are not sent after signing out',
    test: 'journal-on-device.test.ts',
  },
  {
    id: 'S25',
    threat: 'change or plant rows in a journal',
    defence: 'what is not whole is set aside, shown, and never sent; all others are',
    test: 'journal-poisoning.test.ts',
  },
  {
    id: 'S26',
    threat: 'send a captured request again after its record was pruned',
    defence: 'a key carries its age: too old is 410, too far in the future is 400',
    test: 'captured-requests.test.ts',
  },
  {
    id: 'S27',
    threat: 'learn a key from a provider, or make two tenants meet there',
    defence: 'what a handler calls gets a key derived from key, scope and call',
    test: 'downstream-keys.test.ts',
  },
  {
    id: 'S28',
    threat: 'settle an outcome with evidence that proves nothing',
    defence:
      'only unknown outcomes, of that scope and that attempt, after a quiet time, and on the record; to verify a webhook is the application’s part',
    test: 'false-evidence.test.ts',
  },
  {
    id: 'S29',
    threat: 'use aliases, batches, fragments or GET to run more under one GraphQL key',
    defence: 'one key covers one field of one operation with its variables',
    test: 'graphql.test.ts',
  },
  {
    id: 'S30',
    threat: 'attack through what is installed along',
    defence: 'a list of three dependencies, no install scripts, digests for everything',
    test: 'supply-chain.test.ts',
  },
];
