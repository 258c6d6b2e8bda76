import { finishJob } from '../sql/finish-job.ts';
import type { JobEnd } from './run-job.ts';
import { runHandler } from './run-handler.ts';
import type { ResolvedHandler, ResolvedRelay } from './relay-options.ts';
import type { RunningJob } from './running-job.ts';

/** Runs a handler with no transaction open, and marks the job as done after it. */
export async function runOutside(
  running: RunningJob,
  handler: ResolvedHandler & { readonly form: { readonly kind: 'outside' } },
  relay: ResolvedRelay,
): Promise<JobEnd> {
  const { database, schema, probe } = relay;
  const end = await runHandler(running, handler.form.run, { handler, relay });
  await probe('after-handler');
  if (end.kind === 'threw') return { kind: 'failed', error: end.error };
  // It may still take effect: its lease must not be given to another before it has run out.
  if (end.kind === 'deaf') return { kind: 'abandoned', cause: end.reason };

  await probe('before-done');
  const finished = await withRetries(relay, () => finishJob(database, schema, running.job));
  await probe('after-done');
  return { kind: finished === 'done' ? 'done' : 'fenced' };
}

/** Tries again while the database fails, for what must be written because it has happened. */
async function withRetries<T>({ clock }: ResolvedRelay, send: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await send();
    } catch (error) {
      const delayMs = retryDelaysMs[failures];
      if (delayMs === undefined) throw error;
      await new Promise<void>((resolve) => clock.setTimer(resolve, delayMs));
    }
  }
}

const retryDelaysMs = [50, 200, 800];
