/**
 * Says that code of this process asks for the current intent, or that its mutations call each other
 * without a client. Call it at start-up: what has begun by then cannot be followed any more.
 *
 * Clients and outboxes of this kit call it when they are loaded or made. In browsers too, where it
 * does nothing, so it is as short as can be.
 */
export function followIntents(): void {
  (globalThis as Asked)[asked] = true;
}

/** Whether somebody did so. */
export const asked = Symbol.for('@onceward/core.currentIntent?');

export interface Asked {
  [asked]?: boolean;
}
