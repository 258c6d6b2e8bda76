import type {
  Awaitable,
  NotReserved,
  Reservation,
  Reserved,
  ReserveRequest,
} from '@onceward/core/store';
import { asCurrentIntent } from '../ambient/ambient-intent.ts';
import { isPromise } from '../is-promise.ts';
import type { EngineRuntime } from '../engine-runtime.ts';
import { emit } from '../hooks/emit.ts';
import { scopeLabelOf } from '../hooks/scope-label.ts';
import { trace } from '../hooks/trace.ts';
import type { ResolvedMutation } from '../options/mutation-options.ts';
import { type Execute, HandlerContext } from './attempt-context.ts';
import { callStore } from './call-store.ts';
import { conclude, type Executed } from './conclude.ts';
import { executeSteps } from './execute-steps.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import type { Ran } from './ran.ts';
import { reserve } from './reserve.ts';

/** Reserves, executes under a renewed lease, and stores what came of it. */
export async function attemptLeased(
  request: ReserveRequest,
  execute: Execute,
  mutation: ResolvedMutation,
): Promise<Ran | NotReserved> {
  const opened = await openLeased(request, mutation);
  if (!(opened instanceof LeasedAttempt)) return opened;
  const executed = mutation.engine.hooks.trace
    ? await trace(mutation, { name: 'idempotency.execute', request }, () =>
        executeUnderLease(opened, execute),
      )
    : await executeUnderLease(opened, execute);
  // Waited for here: to return a promise from an `async` function takes three turns more.
  return await conclude(opened, executed);
}

/** The right to execute, and a lease that is renewed until somebody stops its keeper. */
export class LeasedAttempt {
  readonly request: ReserveRequest;
  readonly reservation: Reserved;
  readonly mutation: ResolvedMutation;
  readonly keeper: LeaseKeeper;
  readonly startedAt: number;

  constructor(reservation: Reserved, mutation: ResolvedMutation, { request, askedAt }: Asked) {
    this.request = request;
    this.reservation = reservation;
    this.mutation = mutation;
    // Only events say how long it took: without a listener, the clock is not read again.
    this.startedAt = mutation.engine.hooks.onEvent ? mutation.engine.clock.now() : askedAt;
    this.keeper = new LeaseKeeper(reservation.lease, mutation, askedAt);
  }

  /** What a handler without steps gets. */
  context(): HandlerContext {
    const { lease, attempt } = this.reservation;
    return new HandlerContext({ key: lease.key, attempt }, this.keeper.stopSignal);
  }
}

/** Reserves, and executes nothing. */
export function openLeased(
  request: ReserveRequest,
  mutation: ResolvedMutation,
): Awaitable<LeasedAttempt | NotReserved> {
  const { engine } = mutation;
  if (engine.probe || engine.hooks.trace) return openWatched(request, mutation);
  const asked = { request, askedAt: engine.clock.now() };
  const reservation = reserve(request, engine);
  return isPromise(reservation)
    ? reservation.then((answer) => leasedFrom(answer, mutation, asked))
    : leasedFrom(reservation, mutation, asked);
}

/** The same, with a tracer or a test looking on: both have to be waited for. */
async function openWatched(
  request: ReserveRequest,
  mutation: ResolvedMutation,
): Promise<LeasedAttempt | NotReserved> {
  const { engine } = mutation;
  const askedAt = engine.clock.now();
  if (engine.probe) await engine.probe('before-reserve');
  const reservation = await trace(mutation, { name: 'idempotency.reserve', request }, async () =>
    reserve(request, engine),
  );
  const granted = grantedBy(reservation, mutation, { request, askedAt });
  if (!(granted instanceof LeasedAttempt)) return await granted;
  try {
    if (engine.probe) await engine.probe('after-reserve');
  } catch {
    return await releaseUnbegun(granted);
  }
  return await trusted(granted);
}

function leasedFrom(
  reservation: Reservation,
  mutation: ResolvedMutation,
  asked: Asked,
): Awaitable<LeasedAttempt | NotReserved> {
  const granted = grantedBy(reservation, mutation, asked);
  return granted instanceof LeasedAttempt ? trusted(granted) : granted;
}

interface Asked {
  readonly request: ReserveRequest;
  readonly askedAt: number;
}

function grantedBy(
  reservation: Reservation,
  mutation: ResolvedMutation,
  asked: Asked,
): LeasedAttempt | Awaitable<NotReserved> {
  if (reservation.kind !== 'reserved') return reservation;
  const { engine } = mutation;
  if (reservation.attempt > engine.maxAttempts) return doubtLastAttempt(reservation, engine);
  return new LeasedAttempt(reservation, mutation, asked);
}

/** Unless its lease may have run out by now. */
function trusted(leased: LeasedAttempt): Awaitable<LeasedAttempt | NotReserved> {
  const { mutation, request, reservation } = leased;
  try {
    leased.keeper.assertTrusted();
  } catch {
    return releaseUnbegun(leased);
  }
  const { engine, operation, effect } = mutation;
  if (engine.hooks.onEvent) {
    const { attempt } = reservation;
    const scoped = scopeLabelOf(engine, request.scope);
    emit(engine, { kind: 'attempt-started', operation, effect, attempt, ...scoped });
  }
  return leased;
}

async function doubtLastAttempt({ lease }: Reserved, engine: EngineRuntime): Promise<NotReserved> {
  await callStore(engine, (store) => store.doubt(lease));
  return { kind: 'unknown' };
}

/** Nothing has begun, so nothing is in doubt, however late the store's answer came. */
async function releaseUnbegun({
  keeper,
  reservation,
  mutation,
}: LeasedAttempt): Promise<NotReserved> {
  const { engine, inProgress } = mutation;
  keeper.stop();
  await callStore(engine, (store) => store.release(reservation.lease)).catch(() => undefined);
  return { kind: 'in-progress', retryAfterMs: inProgress.retryAfterMs };
}

async function executeUnderLease(opened: LeasedAttempt, execute: Execute): Promise<Executed> {
  const { mutation, keeper, reservation } = opened;
  const { engine } = mutation;
  const { stopSignal } = keeper;
  try {
    if (engine.probe) await engine.probe('before-execute');
    const value = await asCurrentIntent(reservation.lease, () =>
      mutation.effect === 'steps' ? executeSteps(opened, execute) : execute(opened.context()),
    );
    return { kind: 'success', value, aborted: stopSignal.aborted };
  } catch (error) {
    return { kind: 'failure', error, aborted: stopSignal.aborted };
  } finally {
    keeper.stop();
    if (engine.probe) await engine.probe('after-execute');
  }
}
