import type { AtomicResult, Lease, NotReserved, Reservation } from '@onceward/core/store';

/**
 * Rejects an answer that the question does not have. A store that says something else is not one
 * to execute on, nor one whose word is passed on as an outcome.
 */
export function known<Answer extends { readonly kind: string }>(
  answer: Answer,
  kinds: Readonly<Record<Answer['kind'], true>>,
): Answer {
  const { kind } = Object(answer) as Partial<Answer>;
  if (typeof kind === 'string' && Object.hasOwn(kinds, kind)) return answer;
  throw new Error('The store gave an answer that is none of those it may give');
}

/** As {@link known}; and without a lease and its token, nobody could say later what came of it. */
export function knownReservation(answer: Reservation): Reservation {
  const read = known(answer, reservationKinds);
  if (read.kind !== 'reserved') return read;
  const { token } = Object(read.lease) as Partial<Lease>;
  if (typeof token !== 'string') throw new Error('The store granted a lease that has no token');
  return read;
}

const notReserved: Record<NotReserved['kind'], true> = {
  completed: true,
  'in-progress': true,
  mismatch: true,
  unknown: true,
  expired: true,
};

const reservationKinds: Record<Reservation['kind'], true> = {
  ...notReserved,
  reserved: true,
};

export const atomicKinds: Record<AtomicResult['kind'], true> = {
  ...notReserved,
  committed: true,
  'rolled-back': true,
};

export const peekKinds: Record<NotReserved['kind'] | 'free', true> = { ...notReserved, free: true };
