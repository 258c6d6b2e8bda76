import type { Arena } from './arena.ts';
import type { CheckName } from './check-names.ts';

/** What was seen. */
export interface Finding {
  /** Whether nobody is worse off than the check demands. */
  readonly holds: boolean;
  /** In a few words, for the table. */
  readonly saw: string;
}

/** Something that happens to every API, and what must come of it. */
export interface Check {
  readonly name: CheckName;
  /** What is done, and what is demanded. */
  readonly demand: string;
  run(arena: Arena, key: string): Promise<Finding>;
}

export const holds = (saw: string): Finding => ({ holds: true, saw });
export const fails = (saw: string): Finding => ({ holds: false, saw });

/** A body whose executions are counted apart from all others. */
export function bodyOf(note: string): string {
  return JSON.stringify({ note, cents: 1 });
}

export function times(count: number): string {
  return ['never', 'once', 'twice'][count] ?? `${count} times`;
}
