import { isMutationText } from '../graphql/mutation-text.ts';
import type { OutgoingRequest } from './outgoing-request.ts';

/**
 * Whether a request is a GraphQL mutation, for the `key` option of `idempotentFetch`.
 *
 * Only one whose document is in a JSON body is recognised: a batch, an upload or a persisted
 * document needs a key of yours.
 */
export function isMutation({ body }: Pick<OutgoingRequest, 'body'>): boolean {
  if (typeof body !== 'string') return false;
  try {
    const { query, operationName } = JSON.parse(body) as Record<string, unknown>;
    return typeof query === 'string' && isMutationText(query, operationName);
  } catch {
    return false;
  }
}
