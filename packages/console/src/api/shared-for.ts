import type { ResolvedConsole } from '../console-options.ts';

/**
 * Lets everybody who asks within a while have one answer, so that many open pages are no more work
 * for the database than one. An error is nobody's for longer than it takes.
 */
export function sharedFor<Name extends string, Answer>(
  ms: number,
  ask: (resolved: ResolvedConsole, name: Name) => Promise<Answer>,
): (resolved: ResolvedConsole, name: Name) => Promise<Answer> {
  const answers = new WeakMap<
    ResolvedConsole,
    Map<Name, { at: number; answer: Promise<Answer> }>
  >();
  return (resolved, name) => {
    const known = answers.get(resolved) ?? new Map<Name, { at: number; answer: Promise<Answer> }>();
    answers.set(resolved, known);
    const last = known.get(name);
    const now = resolved.now();
    // A clock that was set back makes no answer last longer.
    if (last && Math.abs(now - last.at) < ms) return last.answer;
    const answer = ask(resolved, name);
    known.set(name, { at: now, answer });
    answer.catch(() => known.delete(name));
    return answer;
  };
}
