import type { Completion, Outcome, UnavailableReason } from '@onceward/core/store';

/** How the column `outcome` spells an outcome. Stored: never change a number. */
export const outcomeCode = {
  success: 1,
  failure: 2,
  'too-large': 3,
  'not-serialisable': 4,
  streamed: 5,
  expired: 6,
  undecodable: 7,
  settled: 8,
} as const satisfies Record<'success' | 'failure' | UnavailableReason, number>;

export type OutcomeCode = (typeof outcomeCode)[keyof typeof outcomeCode];

/** The columns `outcome` and `body` of a completion. */
export function storedOutcome({ outcome }: Completion): {
  code: OutcomeCode;
  body: Uint8Array | null;
} {
  return outcome.kind === 'unavailable'
    ? { code: outcomeCode[outcome.reason], body: null }
    : { code: outcomeCode[outcome.kind], body: bytesOf(outcome.answer) };
}

function bytesOf(answer: Uint8Array | string): Uint8Array {
  return typeof answer === 'string' ? Buffer.from(answer) : answer;
}

/** The outcome of a completed record, from the columns `outcome` and `body`. */
export function outcomeFrom(code: OutcomeCode | null, body: Uint8Array | null): Outcome {
  switch (code) {
    case outcomeCode.success:
      return { kind: 'success', answer: copyOf(body) };
    case outcomeCode.failure:
      return { kind: 'failure', answer: copyOf(body) };
    default:
      return { kind: 'unavailable', reason: code === null ? 'undecodable' : reasons[code] };
  }
}

const reasons = {
  [outcomeCode['too-large']]: 'too-large',
  [outcomeCode['not-serialisable']]: 'not-serialisable',
  [outcomeCode.streamed]: 'streamed',
  [outcomeCode.expired]: 'expired',
  [outcomeCode.undecodable]: 'undecodable',
  [outcomeCode.settled]: 'settled',
} as const satisfies Record<number, UnavailableReason>;

/** A driver's bytes may be a window on a buffer that holds other rows as well. */
function copyOf(bytes: Uint8Array | null): Uint8Array {
  return new Uint8Array(bytes ?? []);
}
