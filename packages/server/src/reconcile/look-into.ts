import type { Clock } from '@onceward/core';
import type { PutOff, ReconcilingStore, UnknownRecord } from '@onceward/core/store';
import { emit } from '../hooks/emit.ts';
import type { EngineHooks } from '../hooks/engine-hooks.ts';
import type { Evidence } from '../settle-intent.ts';
import { lookDelayMs, type LookDelayOptions } from './look-delay.ts';
import type { ResolvableMutation } from './reconciler.ts';
import type { Finding } from './resolve.ts';

export interface LookOptions extends LookDelayOptions {
  readonly store: ReconcilingStore;
  /** Those with `resolve`, by their operation. */
  readonly mutations: ReadonlyMap<string, ResolvableMutation>;
  readonly lookMs: number;
  readonly maxLooks: number;
  readonly actor: string;
  readonly hooks: EngineHooks;
  readonly clock: Clock;
}

/** How a look ended. */
export type LookedInto =
  | 'settled'
  /** Nobody knows yet, or not for long enough. */
  | 'unsure'
  /** It could not be found out. */
  | 'failed'
  /** As the two above, once too often. */
  | 'dead'
  /** Somebody else has settled it, or it was completed after all. */
  | 'gone';

/**
 * Finds out what became of one record.
 *
 *   resolve ──▶ evidence ──▶ settle ──▶ settled, or gone
 *      │                        └─ too soon ─▶ put off until it is not
 *      └─▶ unsure, or it throws ─▶ put off, longer each time, and in the end for good
 */
export async function lookInto(record: UnknownRecord, options: LookOptions): Promise<LookedInto> {
  const { operation, look } = record;
  const { clock } = options;
  emit(options, { kind: 'lookup-started', operation, look });
  try {
    const startedAt = clock.now();
    const finding = await findingOf(record, options);
    const tookMs = Math.max(0, clock.now() - startedAt);
    return finding.kind === 'unsure' || isAboutAnother(record, finding)
      ? await putOff(record, 'unsure', options)
      : await settle(record, finding, { ...options, tookMs });
  } catch (cause) {
    return putOff(record, 'failed', { ...options, cause });
  }
}

async function findingOf(
  record: UnknownRecord,
  { mutations, clock, lookMs }: LookOptions,
): Promise<Finding> {
  const { scope, key, operation, attempt, unknownSince, look } = record;
  const stop = new AbortController();
  const resolve = mutations.get(operation)?.resolve;
  const late = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason as Error));
  });
  const cancel = clock.setTimer(
    () => stop.abort(new Error(`\`resolve\` took longer than lookMs (${lookMs} ms)`)),
    lookMs,
  );
  try {
    const unknown = { scope, key, operation, attempt, unknownSince, look, signal: stop.signal };
    const finding = await Promise.race([resolve?.(unknown), late]);
    return checked(finding);
  } finally {
    cancel();
  }
}

/** What is none of the findings there are is no evidence. */
function checked(finding: Finding | undefined): Finding {
  switch (finding?.kind) {
    case 'executed':
    case 'unsure':
      return finding;
    case 'not-executed':
      if (Number.isFinite(finding.quietMs) && finding.quietMs >= 0) return finding;
      throw new TypeError('Expected `quietMs` beside `not-executed`, and to be a time');
    default:
      throw new TypeError('Expected `resolve` to answer executed, not-executed or unsure');
  }
}

function isAboutAnother({ attempt }: UnknownRecord, evidence: Evidence): boolean {
  return evidence.attempt !== undefined && evidence.attempt !== attempt;
}

async function settle(
  record: UnknownRecord,
  evidence: Evidence,
  options: LookOptions & { readonly tookMs: number },
): Promise<LookedInto> {
  const { operation, attempt } = record;
  const { store, mutations, actor, hooks } = options;
  const audit = { actor, ...evidence.audit };
  const settled = await mutations
    .get(operation)
    ?.settleRecord(record, { ...asOfItsStart(evidence, options), attempt, audit });
  switch (settled) {
    case 'settled':
      emit({ hooks }, { kind: 'outcome-settled', operation, evidence: evidence.kind });
      return 'settled';
    case 'too-soon':
      await store.putOff(record, {
        kind: 'later',
        delayMs: quietLeftMs(record, evidence, options),
      });
      return 'unsure';
    default:
      await store.putOff(record, { kind: 'gone' });
      return 'gone';
  }
}

/**
 * The quiet time must have been over when the look began: what a provider did not have on record
 * then may have reached it while it answered.
 */
function asOfItsStart(evidence: Evidence, { tookMs }: { readonly tookMs: number }): Evidence {
  if (evidence.kind === 'executed') return evidence;
  return { ...evidence, quietMs: evidence.quietMs + tookMs };
}

/** Within bounds, for the clock of the store may not be ours. */
function quietLeftMs(
  { unknownSince }: UnknownRecord,
  evidence: Evidence,
  { clock, firstDelayMs }: LookOptions,
): number {
  const quietMs = evidence.kind === 'not-executed' ? evidence.quietMs : 0;
  const leftMs = unknownSince + quietMs - clock.now();
  return Math.min(Math.max(leftMs, firstDelayMs), Math.max(quietMs, firstDelayMs));
}

async function putOff(
  record: UnknownRecord,
  why: 'unsure' | 'failed',
  { store, hooks, maxLooks, cause, ...delay }: LookOptions & { cause?: unknown },
): Promise<LookedInto> {
  const { operation, look } = record;
  const dead = look >= maxLooks;
  emit(
    { hooks },
    { kind: 'lookup-failed', operation, dead, ...(cause === undefined ? {} : { cause }) },
  );
  const until: PutOff = dead
    ? { kind: 'dead' }
    : { kind: 'later', delayMs: lookDelayMs(look, delay) };
  // Should this fail, its time runs out and it is due again.
  await store.putOff(record, until).catch(() => undefined);
  return dead ? 'dead' : why;
}
