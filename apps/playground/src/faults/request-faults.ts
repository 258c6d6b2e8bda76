import { setTimeout as pause } from 'node:timers/promises';
import type { FaultMemory, SingleFault } from './fault-memory.ts';
import type { Faults } from './parse-faults.ts';

/** The faults of one request, each at its place on the way through the server. */
export interface RequestFaults {
  /** Before anything is looked at. A response is the answer, and nothing more happens. */
  onTheWayIn(): Promise<Response | undefined>;
  /** Inside the handler of a mutation with this key. Does not return from a crash. */
  midway(key: string): Promise<void>;
  /** When the answer is made, and so everything is committed. */
  onTheWayOut(answer: Response): Promise<Response | 'no-answer'>;
}

export interface FaultTools {
  readonly memory: FaultMemory;
  /** Ends the process as a power cut would. */
  readonly crash: () => never;
  /** Ends what still waits when the server stops. */
  readonly stopping: AbortSignal;
}

export function requestFaults(
  { delayMs, holdMs, unavailable, drop, crash }: Faults,
  { keys, user }: { readonly keys: readonly string[]; readonly user: string },
  tools: FaultTools,
): RequestFaults {
  const isFirst = (fault: SingleFault, struck = keys) => tools.memory.isFirst(fault, user, struck);
  const wait = async (ms: number) => {
    if (ms > 0) await pause(ms, undefined, { signal: tools.stopping });
  };
  return {
    async onTheWayIn() {
      await wait(delayMs);
      if (!unavailable || !(await isFirst('status'))) return undefined;
      return new Response('Service Unavailable, as x-fault asks for\n', { status: 503 });
    },
    async midway(key) {
      await wait(holdMs);
      if (crash && (await isFirst('crash', [key]))) tools.crash();
    },
    async onTheWayOut(answer) {
      // A refusal commits nothing: its answer is not the one to lose.
      if (!drop || !answer.ok || !(await isFirst('drop'))) return answer;
      // Of a stream, only its end says that everything is committed.
      await answer.arrayBuffer();
      return 'no-answer';
    },
  };
}
