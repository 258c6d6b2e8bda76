import { asked, type Asked } from './follow-intents.ts';

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
  // It is asked for several times in every request, and the global object has many members.
  return (known ??= (globalThis as Slot)[slot] ??=
    {
      get asked() {
        return (globalThis as Asked)[asked] ?? false;
      },
      set asked(may) {
        (globalThis as Asked)[asked] = may;
      },
      missed: 0,
    });
}

let known: Following | undefined;
const slot = Symbol.for('@onceward/core.following');

interface Slot {
  [slot]?: Following;
}
