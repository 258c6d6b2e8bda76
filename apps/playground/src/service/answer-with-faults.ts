import { parseFaults } from '../faults/parse-faults.ts';
import { type FaultTools, type RequestFaults, requestFaults } from '../faults/request-faults.ts';
import type { Sightings } from '../watch/sightings.ts';
import { signedInUser } from './sign-in.ts';

/** Who asks, and what may go wrong on the way. */
export interface Caller {
  /** `null`: not signed in. */
  readonly user: string | null;
  readonly faults: Pick<RequestFaults, 'midway'>;
}

export interface RequestTools extends FaultTools {
  readonly sightings: Sightings;
}

/** Answers a request, unless something that its `x-fault` asks for gets in the way. */
export async function answerWithFaults(
  { headers, keys }: { readonly headers: Headers; readonly keys: readonly string[] },
  answer: (caller: Caller) => Response | Promise<Response>,
  tools: RequestTools,
): Promise<Response | 'no-answer'> {
  const user = signedInUser(headers);
  const parsed = parseFaults(headers.get('x-fault'));
  if ('problem' in parsed) return new Response(`${parsed.problem}\n`, { status: 400 });
  const faults = requestFaults(parsed.faults, { keys, user: user ?? '' }, tools);
  const sighting = await tools.sightings.arrive(headers, user ?? '');
  const midway = async (key: string) => {
    await sighting.executing();
    await faults.midway(key);
  };

  const early = await faults.onTheWayIn();
  const response = early ?? (await answer({ user, faults: { midway } }));
  await sighting.answered(response);
  return early ?? faults.onTheWayOut(response);
}
