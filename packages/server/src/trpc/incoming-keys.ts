import { IdempotencyError, type IdempotencyKey } from '@onceward/core';
import type { HeaderSource } from '../incoming/request-headers.ts';
import { type KeySyntax, readKey } from '../incoming/read-key.ts';
import { headerKey } from './key-headers.ts';

/** What `createContext` is called with, in any of tRPC's adapters. */
export interface KeySource {
  /** A `Request`, or the request of Node.js, Express or Fastify. */
  readonly req?: { readonly headers: HeaderSource } | undefined;
  /** For platforms whose request is shaped differently, such as `event.headers` of AWS Lambda. */
  readonly headers?: HeaderSource | undefined;
  /** The calls of the request. A WebSocket has none: its headers are those of the handshake. */
  readonly info?: { readonly calls: readonly IncomingCall[] } | undefined;
}

interface IncomingCall {
  readonly getRawInput: RawInputReader;
  readonly procedure?: { readonly _def: { readonly inputs: readonly unknown[] } } | null;
}

/** tRPC's reader of one call's input. No two calls share one, so it tells calls apart. */
export type RawInputReader = () => Promise<unknown>;

/** What became of a call, for the headers of the response. */
export interface CallReport {
  readonly replayed: boolean;
  readonly answerExpiresAt: number | undefined;
}

/**
 * Reads the keys of a request. Put it into the context as `idempotency`.
 *
 * @example
 * ```ts
 * const createContext = (options: CreateHTTPContextOptions) => ({
 *   user: userOf(options.req),
 *   idempotency: incomingKeys(options),
 * });
 * ```
 */
export function incomingKeys(source: KeySource = {}): IncomingKeys {
  if ((source.req ?? source.headers) && !source.info) {
    throw new TypeError('Expected `info` beside `req`: hand on all that createContext was given');
  }
  return new IncomingKeys(source);
}

/** The context's `idempotency` for one call through `createCaller` under a key of your own. */
export function callerKey(key: string): IncomingKeys {
  return new IncomingKeys({}, key);
}

/** Shared by two copies of this package: one may make what the other reads. */
const brand = Symbol.for('@onceward/server/trpc.IncomingKeys');

/**
 * The keys that a request brought, each bound to the call that it was sent for.
 *
 * It is part of the context, which resolvers pass on to `createCaller`. A nested call counts as
 * the first of its batch and would take the key of whatever came first over the wire, so a key is
 * given out only to the call that it arrived with.
 */
export class IncomingKeys {
  readonly #headers: HeaderSource | undefined;
  readonly #calls: readonly IncomingCall[];
  #reports = new Map<RawInputReader, CallReport>();
  #envelope: OpenedEnvelope | undefined;
  readonly #callerKey: string | undefined;
  #caller: RawInputReader | undefined;

  constructor({ req, headers = req?.headers, info }: KeySource, callerKey?: string) {
    this.#headers = headers;
    this.#calls = info?.calls ?? [];
    this.#callerKey = callerKey;
  }

  /** Of the class and not of each object: one is made for every request. */
  get [brand](): true {
    return true;
  }

  /** Works across two copies of this package in one process, where `instanceof` does not. */
  static is(value: unknown): value is IncomingKeys {
    return typeof value === 'object' && value !== null && brand in value;
  }

  /** The same keys, and one that came inside the input of a call. */
  withEnvelope(envelope: OpenedEnvelope): IncomingKeys {
    const keys = new IncomingKeys({ headers: this.#headers, info: { calls: this.#calls } });
    keys.#reports = this.#reports;
    keys.#envelope = envelope;
    return keys;
  }

  /** The key of a call, if one was sent for it. Throws when what was sent is not one key. */
  keyOf(call: RawInputReader, syntax: KeySyntax): IdempotencyKey | undefined {
    const index = this.#indexOf(call);
    const count = this.#calls.length;
    const inHeader =
      index < 0 ? undefined : headerKey(this.#headers ?? {}, { index, count }, syntax);
    const inInput =
      this.#envelope?.inner === call ? readKey(this.#envelope.key, syntax) : undefined;
    if (inHeader && inInput && inHeader !== inInput) {
      throw new IdempotencyError('IDEMPOTENCY_KEY_INVALID', { problem: 'disagreeing' });
    }
    return inInput ?? inHeader ?? this.#callerKeyFor(call, syntax);
  }

  /** Whether a key was taken out of the input that this call has left. */
  unwrapped(call: RawInputReader): boolean {
    return this.#envelope?.inner === call;
  }

  /** Whether the procedure that was called has a parser for its input; if in doubt, it has. */
  parsesInput(call: RawInputReader): boolean {
    const { procedure } = this.#calls[this.#indexOf(call)] ?? {};
    return !procedure || procedure._def.inputs.length > 0;
  }

  report(call: RawInputReader, report: CallReport): void {
    const { getRawInput } = this.#calls[this.#indexOf(call)] ?? {};
    if (getRawInput) this.#reports.set(getRawInput, report);
  }

  /** What became of the calls of the request; `undefined` for one that no guard has seen. */
  reports(): (CallReport | undefined)[] {
    return this.#calls.map(({ getRawInput }) => this.#reports.get(getRawInput));
  }

  #indexOf(call: RawInputReader): number {
    const sent = this.#envelope?.inner === call ? this.#envelope.outer : call;
    return this.#calls.findIndex(({ getRawInput }) => getRawInput === sent);
  }

  /** For the first call that asks: the second one of the same caller is another intent. */
  #callerKeyFor(call: RawInputReader, syntax: KeySyntax): IdempotencyKey | undefined {
    if (this.#callerKey === undefined) return undefined;
    this.#caller ??= call;
    return this.#caller === call ? readKey(this.#callerKey, syntax) : undefined;
  }
}

/** A key inside an input: `outer` reads the input as it was sent, `inner` what is left of it. */
export interface OpenedEnvelope {
  readonly key: unknown;
  readonly outer: RawInputReader;
  readonly inner: RawInputReader;
}
