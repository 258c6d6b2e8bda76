import type { Awaitable, Reservation, ReserveRequest } from '@onceward/core/store';
import { called, isPromise } from '../is-promise.ts';
import type { EngineRuntime } from '../engine-runtime.ts';
import { storeUnavailable } from './call-store.ts';
import { knownReservation } from './known-answer.ts';

/**
 * Reserves, asking a second time when the first answer was lost: the token makes that harmless.
 *
 * When both fail the handler must not run, although the reservation may exist. It is given back
 * as well as can be; otherwise an effect that never began would be called unknown.
 */
export function reserve(request: ReserveRequest, engine: EngineRuntime): Awaitable<Reservation> {
  const { store, storeTime } = engine;
  let asked = called(() => store.reserve(request));
  const failed = (cause: unknown): never => {
    const { scope, key, keyTimestampMs, token } = request;
    const giveBack = () => store.release({ scope, key, keyTimestampMs, token });
    // After the question, however late its answer: a release that overtakes it would do nothing.
    Promise.resolve(asked)
      .then(giveBack, giveBack)
      .catch(() => undefined);
    throw storeUnavailable(engine, cause);
  };
  const answered = (answer: Reservation) => {
    try {
      return knownReservation(answer);
    } catch (cause) {
      return failed(cause);
    }
  };
  if (!isPromise(asked)) return answered(asked);
  const askAgain = async () => await (asked = store.reserve(request));
  // Not `async`: no promise where the store made none, and one instead of two where it did.
  return storeTime.limit(asked, askAgain).then(answered, failed);
}
