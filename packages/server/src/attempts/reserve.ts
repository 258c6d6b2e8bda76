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
  const asked = called(() => engine.store.reserve(request));
  return isPromise(asked)
    ? reserveLater(asked, request, engine)
    : readAnswer(asked, { asked, request, engine });
}

/** Not `async`: one promise instead of two. */
function reserveLater(
  first: Promise<Reservation>,
  request: ReserveRequest,
  engine: EngineRuntime,
): Promise<Reservation> {
  const { store, storeTime } = engine;
  let asked: Awaitable<Reservation> = first;
  const askAgain = async () => await (asked = store.reserve(request));
  return storeTime.limit(first, askAgain).then(
    (answer) => readAnswer(answer, { asked, request, engine }),
    (cause: unknown) => giveUp(cause, { asked, request, engine }),
  );
}

interface Question {
  /** As it was asked last. */
  readonly asked: Awaitable<Reservation>;
  readonly request: ReserveRequest;
  readonly engine: EngineRuntime;
}

function readAnswer(answer: Reservation, question: Question): Reservation {
  try {
    return knownReservation(answer);
  } catch (cause) {
    return giveUp(cause, question);
  }
}

function giveUp(cause: unknown, { asked, request, engine }: Question): never {
  const { scope, key, keyTimestampMs, token } = request;
  const giveBack = () => engine.store.release({ scope, key, keyTimestampMs, token });
  // After the question, however late its answer: a release that overtakes it would do nothing.
  Promise.resolve(asked)
    .then(giveBack, giveBack)
    .catch(() => undefined);
  throw storeUnavailable(engine, cause);
}
