import type { NotReserved, Reservation, Reserved, ReserveRequest } from '@onceward/core/store';
import { asCurrentIntent } from '../ambient/ambient-intent.ts';
import { type Awaitable, isPromise } from '../awaitable.ts';
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

  constructor(
    reservation: Reserved,
    mutation: ResolvedMutation,
    { request, askedAt }: { request: ReserveRequest; askedAt: number },
  ) {
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

/** Reserves. Nothing has been executed yet when it is granted. */
export function openLeased(
  request: ReserveRequest,
  mutation: ResolvedMutation,
): Awaitable<LeasedAttempt | NotReserved> {
  const { engine } = mutation;
  if (engine.probe || engine.hooks.trace) return openWatched(request, mutation);
  const asked = { request, askedAt: engine.clock.now() };
  const reservation = reserve(request, engine);
  return isPromise(reservation)
    ? reservation.then((answer) => opened(answer, mutation, asked))
    : opened(reservation, mutation, asked);
}

/** The same, for whoever is told of each step. */
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
  const isGranted = reservation.kind === 'reserved' && reservation.attempt <= engine.maxAttempts;
  if (isGranted && engine.probe) {
    try {
      await engine.probe('after-reserve');
    } catch {
      return await notBegun(reservation, mutation);
    }
  }
  return await opened(reservation, mutation, { request, askedAt });
}

function opened(
  reservation: Reservation,
  mutation: ResolvedMutation,
  asked: { request: ReserveRequest; askedAt: number },
): Awaitable<LeasedAttempt | NotReserved> {
  if (reservation.kind !== 'reserved') return reservation;
  const { engine, operation, effect } = mutation;
  const { attempt } = reservation;
  if (attempt > engine.maxAttempts) return tooManyAttempts(reservation, engine);

  const leased = new LeasedAttempt(reservation, mutation, asked);
  try {
    leased.keeper.assertTrusted();
  } catch {
    leased.keeper.stop();
    return notBegun(reservation, mutation);
  }
  if (engine.hooks.onEvent) {
    const scoped = scopeLabelOf(engine, asked.request.scope);
    emit(engine, { kind: 'attempt-started', operation, effect, attempt, ...scoped });
  }
  return leased;
}

async function tooManyAttempts({ lease }: Reserved, engine: EngineRuntime): Promise<NotReserved> {
  await callStore(engine, (store) => store.doubt(lease));
  return { kind: 'unknown' };
}

/** Nothing has begun, so nothing is in doubt, however late the store's answer came. */
async function notBegun(
  { lease }: Reserved,
  { engine, inProgress }: ResolvedMutation,
): Promise<NotReserved> {
  await callStore(engine, (store) => store.release(lease)).catch(() => undefined);
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
