import type { NotReserved, Reserved, ReserveRequest } from '@onceward/core/store';
import { asCurrentIntent } from '../ambient/ambient-intent.ts';
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

/** Reserves. Nothing has been executed yet when it resolves. */
export async function openLeased(
  request: ReserveRequest,
  mutation: ResolvedMutation,
): Promise<LeasedAttempt | NotReserved> {
  const { engine } = mutation;
  const askedAt = engine.clock.now();
  if (engine.probe) await engine.probe('before-reserve');
  const reservation = engine.hooks.trace
    ? await trace(mutation, { name: 'idempotency.reserve', request }, () =>
        reserve(request, engine),
      )
    : await reserve(request, engine);
  if (reservation.kind !== 'reserved') return reservation;

  const { lease, attempt } = reservation;
  if (attempt > engine.maxAttempts) {
    await callStore(engine, (store) => store.doubt(lease));
    return { kind: 'unknown' };
  }

  const opened = new LeasedAttempt(reservation, mutation, { request, askedAt });
  try {
    if (engine.probe) await engine.probe('after-reserve');
    opened.keeper.assertTrusted();
  } catch {
    // Nothing has begun, so nothing is in doubt, however late the store's answer came.
    opened.keeper.stop();
    await callStore(engine, (store) => store.release(lease)).catch(() => undefined);
    return { kind: 'in-progress', retryAfterMs: mutation.inProgress.retryAfterMs };
  }
  if (engine.hooks.onEvent) {
    const { operation, effect } = mutation;
    const scoped = scopeLabelOf(engine, request.scope);
    emit(engine, { kind: 'attempt-started', operation, effect, attempt, ...scoped });
  }
  return opened;
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
