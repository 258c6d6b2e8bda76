import type { Clock } from '@onceward/core';
import type { DeliveryStep } from './delivery-event.ts';
import type { ResolvedDeliveryOptions } from './delivery-options.ts';
import type { ResolvedIntent } from './intent.ts';
import { quietly } from './quietly.ts';
import type { RetryBudget, RetryLeave } from './retry/budget.ts';
import type { KeyDelivery } from './retry/verdict.ts';
import { steadyClock } from './steady-clock.ts';

/** What all intents of one delivery share. */
export interface DeliveryTools extends ResolvedDeliveryOptions {
  readonly budget: RetryBudget;
}

/** Where the delivery of one intent stands. */
export interface Course {
  readonly intent: ResolvedIntent;
  readonly tools: DeliveryTools;
  /** For the time the intent has; `tools.clock` is for what others call the time. */
  readonly clock: Clock;
  /** How many attempts were started. */
  attempts: number;
  /** How many of them count against `maxAttempts`. */
  failedAttempts: number;
  /** What became of the key in the latest attempt. */
  keyDelivery: KeyDelivery;
  /** What the retry budget has granted for the next attempt. */
  leave: RetryLeave | undefined;
}

/** Where every intent starts. */
export function openCourse(intent: ResolvedIntent, tools: DeliveryTools): Course {
  const keyDelivery = intent.key === null ? 'none' : 'not-delivered';
  return {
    intent,
    tools,
    clock: steadyClock(tools.clock),
    attempts: 0,
    failedAttempts: 0,
    keyDelivery,
    leave: undefined,
  };
}

/**
 * Tells the application. An observer that throws, or whose promise rejects, must not change what
 * happens to an intent, let alone end the process.
 */
export function emit({ intent, tools, attempts }: Course, step: DeliveryStep): void {
  const { operation, origin, key } = intent;
  quietly(() => tools.onEvent({ operation, origin, key, attempt: attempts, ...step }));
}
