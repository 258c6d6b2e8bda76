import type { Journal } from '../journal/journal.ts';
import type { SettledHandler } from '../journal/settled-intent.ts';
import { operationNameOf, type ParsedDocument } from './document.ts';

/** A mutation: its document, whose type says what it returns, or the name of its operation. */
export type MutationLike<Data> = string | TypedMutation<Data>;

/** What of a `TypedDocumentNode` is used, whoever has made it. */
export interface TypedMutation<Data> extends ParsedDocument {
  readonly __apiType?: (variables: never) => Data;
}

/** What a mutation has returned, as far as it outlives the page. */
export interface MutationResult<Data = unknown> {
  readonly data: Data;
  readonly extensions?: Record<string, unknown>;
}

/** A journal that knows mutations by their documents. */
export interface MutationJournal extends Omit<Journal, 'onSettled'> {
  /**
   * Tells a handler how a mutation ended, also that of an earlier page, at least once each: a record
   * is removed when the handler has resolved. Returns how to stop.
   *
   * What counts is the name of the operation. The result is that of the document which was sent,
   * perhaps by an earlier version of the application.
   */
  onSettled<Data = unknown>(
    mutation: MutationLike<Data>,
    handler: SettledHandler<MutationResult<Data>>,
  ): () => void;
}

/** Adds to a journal what GraphQL clients have in common. */
export function withMutations<T extends Journal>(journal: T): T & MutationJournal {
  const onSettled = journal.onSettled.bind(journal);
  const added = {
    onSettled: (mutation: MutationLike<unknown>, handler: SettledHandler<never>) =>
      onSettled(nameOf(mutation), handler as SettledHandler),
  };
  return Object.assign(journal, added);
}

function nameOf(mutation: MutationLike<unknown>): string {
  if (typeof mutation !== 'string') return operationNameOf(mutation);
  if (!mutation.includes('{')) return mutation;
  throw new TypeError('Expected the name of a mutation, or its parsed document');
}
