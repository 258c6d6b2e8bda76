/**
 * Whether anybody in this process asks which intent is executed around them.
 *
 * To know the answer costs a little in every promise that the process makes (up to Node.js 22), so
 * nobody finds it out before somebody may ask. One for all copies of this package.
 */
export interface Following {
  /** Whether somebody may ask. It stays so. */
  asked: boolean;
  /** Executions that began before that and are not over: they cannot be told apart. */
  missed: number;
}

/** For whoever executes intents. */
export function following(): Following {
  return ((globalThis as Slot)[slot] ??= { asked: false, missed: 0 });
}

/**
 * Says that code of this process asks for the current intent, or that its mutations call each other
 * without a client. Call it at start-up: what has begun by then cannot be followed any more.
 *
 * Clients and outboxes of this kit call it when they are loaded or made.
 */
export function followIntents(): void {
  following().asked = true;
}

const slot = Symbol.for('@onceward/core.following');

interface Slot {
  [slot]?: Following;
}
