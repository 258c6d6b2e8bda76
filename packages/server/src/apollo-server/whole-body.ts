import type { ExecutionResult } from 'graphql';
import { collected } from '../graphql/incremental.ts';
import type { Response } from './response.ts';

/** The body of a response as one result, after everything that was deferred has arrived. */
export async function wholeBody({ body }: Response): Promise<ExecutionResult> {
  if (!body) return {};
  // Formatted errors are what is stored and sent; nobody asks them for more than JSON has.
  if (body.kind === 'single') return body.singleResult as ExecutionResult;
  return collected(parts(body));
}

type Incremental = Extract<Response['body'], { kind: 'incremental' }>;

async function* parts({
  initialResult,
  subsequentResults,
}: Incremental): AsyncGenerator<ExecutionResult> {
  const { pending = [], ...first } = initialResult as Part;
  const places = new Map<string, Pending>();
  const place = (each: Part) => {
    for (const announced of each.pending ?? []) places.set(announced.id, announced);
  };
  place({ pending });
  yield first as ExecutionResult;
  for await (const next of subsequentResults as AsyncIterable<Part>) {
    place(next);
    const incremental = next.incremental?.map(({ id, subPath = [], ...rest }) =>
      id === undefined ? rest : { ...rest, path: [...(places.get(id)?.path ?? []), ...subPath] },
    );
    yield { ...next, ...(incremental ? { incremental } : {}) } as ExecutionResult;
  }
}

interface Pending {
  readonly id: string;
  readonly path: readonly (string | number)[];
}

/**
 * A part in either format: in the older one each payload has its path, in the newer one it names
 * what was announced as pending.
 */
interface Part {
  readonly pending?: readonly Pending[];
  readonly incremental?: readonly {
    readonly id?: string;
    readonly subPath?: readonly (string | number)[];
  }[];
}
