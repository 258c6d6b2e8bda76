export interface GatherOptions {
  /** How many travel together at most. */
  readonly most: number;
  /** Whether the next ones wait until these are back. */
  readonly oneAtATime: boolean;
}

/**
 * Among how many groups the calls under way are divided.
 *
 * With one group for all of them, caller and server would take turns at being idle.
 */
const groups = 2;

/**
 * Lets the calls of one turn of the event loop travel together.
 *
 * There is no timer: what comes alone is sent in the same turn. And unless they go one at a time,
 * nobody waits for an answer: while the server works on one group, the next one is made up.
 *
 * A reply that is an `Error` is for its own call only.
 */
export function gather<Call>(
  send: (calls: readonly Call[]) => Promise<readonly unknown[]>,
  { most, oneAtATime }: GatherOptions,
): (call: Call) => Promise<unknown> {
  let waiting: Waiting<Call>[] = [];
  let isDeparting = false;
  let underWay = 0;
  /** How many were under way or about to be, lately: many may come back at once. */
  let lately = 0;

  return (call) =>
    new Promise((resolve, reject) => {
      waiting.push({ call, resolve, reject });
      if (oneAtATime && underWay > 0) return;
      lately = Math.max(lately, underWay + waiting.length);
      if (!oneAtATime && waiting.length >= Math.min(lately / groups, most)) depart();
      else if (!isDeparting) {
        isDeparting = true;
        // After whatever else this turn does: the answers to one group wake many callers.
        process.nextTick(depart);
      }
    });

  function depart(): void {
    isDeparting = false;
    if (waiting.length === 0) return;
    const group = waiting.slice(0, most);
    waiting = waiting.slice(most);
    underWay += group.length;
    lately *= 0.95;
    void send(group.map(({ call }) => call))
      .then(
        (replies) => group.forEach((one, at) => settle(one, replies[at])),
        (error: Error) => group.forEach((one) => one.reject(error)),
      )
      .then(() => {
        underWay -= group.length;
        if (oneAtATime) depart();
      });
  }
}

interface Waiting<Call> {
  readonly call: Call;
  readonly resolve: (reply: unknown) => void;
  readonly reject: (error: Error) => void;
}

function settle(
  { resolve, reject }: Pick<Waiting<never>, 'resolve' | 'reject'>,
  reply: unknown,
): void {
  if (reply instanceof Error) reject(reply);
  else resolve(reply);
}
