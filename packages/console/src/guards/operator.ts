import { secured } from '../answers/secured.ts';
import type { ResolvedConsole } from '../console-options.ts';

/**
 * What an operator may do.
 *
 * - `read`: see records, jobs and the audit trail, without what they hold;
 * - `settle`: decide unknown outcomes, retry and discard jobs;
 * - `payloads`: see stored answers and payloads of jobs, where `showPayloads` is set.
 */
export type Permission = 'read' | 'settle' | 'payloads';

/** Somebody who may use the console. */
export interface Operator {
  /** For the audit trail: a person, as your sign-in knows them. */
  readonly name: string;
  /** @defaultValue `['read']` */
  readonly may?: readonly Permission[];
  /** Of their sign-in, if there is an id: what one session was given is then useless in another. */
  readonly session?: string;
}

/**
 * Says who sends a request, from its cookie or its headers.
 *
 * Nobody may use the console unless this says so: `null`, anything that is no operator, and an error
 * are answered with 401. A `Response` is answered as it is, such as a redirect to your sign-in.
 */
export type Authorize = (
  request: Request,
) => Operator | Response | null | Promise<Operator | Response | null>;

/** An operator whose every field was checked. */
export type AdmittedOperator = Required<Operator>;

export async function admit(
  { authorize, onError }: Pick<ResolvedConsole, 'authorize' | 'onError'>,
  request: Request,
): Promise<AdmittedOperator | Response> {
  try {
    const said: unknown = await authorize(request);
    if (said instanceof Response) return said;
    return admitted(said) ?? refuseAdmission();
  } catch (error) {
    onError(error);
    return refuseAdmission();
  }
}

function admitted(said: unknown): AdmittedOperator | undefined {
  // These have a name, too: an error that was caught and returned, a function that nobody called.
  if (typeof said !== 'object' || said instanceof Error) return undefined;
  const { name, may = ['read'], session = '' } = Object(said) as Record<string, unknown>;
  if (typeof name !== 'string' || name.trim() === '' || name.length > 200) return undefined;
  if (typeof session !== 'string' || !Array.isArray(may)) return undefined;
  return may.every(isPermission) ? { name, may, session } : undefined;
}

function isPermission(word: unknown): word is Permission {
  return word === 'read' || word === 'settle' || word === 'payloads';
}

/** The same for whoever it is, and whatever they ask for. */
function refuseAdmission(): Response {
  return secured(new Response('Not signed in as an operator\n', { status: 401 }));
}
