import type { NotReserved, ReserveRequest } from '@onceward/core/store';
import { asCurrentIntent } from '../ambient/ambient-intent.ts';
import { emit } from '../hooks/emit.ts';
import { scopeLabelOf } from '../hooks/scope-label.ts';
import { trace } from '../hooks/trace.ts';
import type { ResolvedMutation } from '../options/mutation-options.ts';
import { type Execute, HandlerContext } from './attempt-context.ts';
import { callStore } from './call-store.ts';
import { conclude, type Executed, type LeasedRun } from './conclude.ts';
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
  const { engine, operation, effect } = mutation;
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

  const run = { request, reservation, startedAt: engine.clock.now(), mutation };
  const keeper = new LeaseKeeper(lease, mutation, { askedAt });
  try {
    if (engine.probe) await engine.probe('after-reserve');
    keeper.assertTrusted();
  } catch {
    // Nothing has begun, so nothing is in doubt, however late the store's answer came.
    keeper.stop();
    await callStore(engine, (store) => store.release(lease)).catch(() => undefined);
    return { kind: 'in-progress', retryAfterMs: mutation.inProgress.retryAfterMs };
  }
  if (engine.hooks.onEvent) {
    const scoped = scopeLabelOf(engine, request.scope);
    emit(engine, { kind: 'attempt-started', operation, effect, attempt, ...scoped });
  }
  const executed = engine.hooks.trace
    ? await trace(mutation, { name: 'idempotency.execute', request }, () =>
        executeUnderLease(run, execute, keeper),
      )
    : await executeUnderLease(run, execute, keeper);
  // Waited for here: to return a promise from an `async` function takes three turns more.
  return await conclude(run, executed);
}

async function executeUnderLease(
  run: LeasedRun,
  execute: Execute,
  keeper: LeaseKeeper,
): Promise<Executed> {
  const { engine } = run.mutation;
  const { lease, attempt } = run.reservation;
  const { key } = lease;
  const { stopSignal } = keeper;
  try {
    if (engine.probe) await engine.probe('before-execute');
    const value = await asCurrentIntent(lease, () =>
      run.mutation.effect === 'steps'
        ? executeSteps(run, execute, keeper)
        : execute(new HandlerContext({ key, attempt }, stopSignal)),
    );
    return { kind: 'success', value, aborted: stopSignal.aborted };
  } catch (error) {
    return { kind: 'failure', error, aborted: stopSignal.aborted };
  } finally {
    keeper.stop();
    if (engine.probe) await engine.probe('after-execute');
  }
}
