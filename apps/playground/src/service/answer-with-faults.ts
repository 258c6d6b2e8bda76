import { parseFaults } from '../faults/parse-faults.ts';
import { type FaultTools, type RequestFaults, requestFaults } from '../faults/request-faults.ts';
import { signedInUser } from './sign-in.ts';

/** Who asks, and what may go wrong on the way. */
export interface Caller {
  /** `null`: not signed in. */
  readonly user: string | null;
  readonly faults: Pick<RequestFaults, 'midway'>;
}

/** Answers a request, unless something that its `x-fault` asks for gets in the way. */
export async function answerWithFaults(
  { headers, keys }: { readonly headers: Headers; readonly keys: readonly string[] },
  answer: (caller: Caller) => Response | Promise<Response>,
  tools: FaultTools,
): Promise<Response | 'no-answer'> {
  const user = signedInUser(headers);
  const parsed = parseFaults(headers.get('x-fault'));
  if ('problem' in parsed) return new Response(`${parsed.problem}\n`, { status: 400 });
  const faults = requestFaults(parsed.faults, { keys, user: user ?? '' }, tools);

  const early = await faults.onTheWayIn();
  if (early) return early;
  return faults.onTheWayOut(await answer({ user, faults }));
}
