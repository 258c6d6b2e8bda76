import { currentIntent, followIntents, type IdempotencyKey, mintKey } from '@onceward/core';
import { positiveInteger, shortText } from './check-option.ts';
import { jsonText } from './json-text.ts';
import { type InputOf, type TaskName, type Tasks, validated } from './task.ts';

/** A job that was checked and not yet written. */
export interface NewJob {
  readonly key: IdempotencyKey;
  readonly task: string;
  readonly lane: string | undefined;
  /** As JSON. */
  readonly payload: string;
}

/** What an outbox, and what hands jobs to another queue, must know to take one. */
export interface JobOptions<Named extends Tasks> {
  /** What can be enqueued. */
  tasks: Named;
  /**
   * The longest payload, as JSON in UTF-8. A job is read by whoever takes it and kept for a while:
   * put what is large into a table of yours, and its id into the job.
   *
   * @defaultValue `65_536`
   */
  maxPayloadBytes?: number;
}

/** Checks jobs before anything is written. */
export interface JobChecker<Named extends Tasks> {
  check<Name extends TaskName<Named>>(name: Name, payload: InputOf<Named[Name]>): Promise<NewJob>;
}

export function jobChecker<Named extends Tasks>(options: JobOptions<Named>): JobChecker<Named> {
  const { tasks } = options;
  const maxBytes = positiveInteger('maxPayloadBytes', options.maxPayloadBytes ?? 65_536);
  for (const name of Object.keys(tasks)) shortText('tasks', name, 128);
  followIntents();

  return {
    async check(name, payload) {
      const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
      if (!task) throw new TypeError('Expected `task` to be one of those the outbox was made with');
      // Before anything is awaited: the key counts calls, in the order in which they are made.
      const key = jobKey(name);
      const text = payloadText(name, payload, maxBytes);
      await validated(payload, task, name);
      const lane = task.lane && shortText('lane', task.lane(payload as never));
      return { key, task: name, lane, payload: text };
    },
  };
}

/**
 * The job's own key, for whoever its handler calls: a child of the current intent's, and so the same
 * when the intent is attempted again; outside of any intent a fresh one.
 */
function jobKey(task: string): IdempotencyKey {
  return currentIntent()?.childKey(`job ${task}`) ?? mintKey();
}

function payloadText(task: string, payload: unknown, maxBytes: number): string {
  const json = jsonText(payload);
  if (json.kind === 'no-json') {
    throw new TypeError(
      `Expected the payload of task '${task}' to be JSON: it ${json.problem}, which its handler ` +
        'would not get back',
    );
  }
  const bytes = Buffer.byteLength(json.text);
  if (bytes <= maxBytes) return json.text;
  throw new TypeError(
    `Expected the payload of task '${task}' to be at most ${maxBytes} bytes of JSON ` +
      `(\`maxPayloadBytes\`), got ${bytes}`,
  );
}
