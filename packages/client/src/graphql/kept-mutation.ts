import type { Submission } from '../journal/submission.ts';
import { declaresVariable, type ParsedDocument } from './document.ts';
import type { Variables } from './open-mutation.ts';

/** What a journal keeps of a mutation. JSON. */
export interface KeptMutation {
  readonly document: ParsedDocument;
  readonly variables: Variables;
  readonly extensions?: Record<string, unknown>;
}

/** Without what parsers note about the text, which is no JSON and as large as the rest. */
export function keptMutation({ document, ...others }: KeptMutation): KeptMutation {
  const text = JSON.stringify(document, (name, value: unknown) =>
    name === 'loc' ? undefined : value,
  );
  return { document: JSON.parse(text) as ParsedDocument, ...others };
}

/** The variables of an attempt. A key that no server has seen may have been replaced meanwhile. */
export function variablesWithKey(
  variables: Variables,
  keyVariable: string | undefined,
  key: string | undefined,
): Variables {
  return keyVariable !== undefined && key ? { ...variables, [keyVariable]: key } : variables;
}

/** The variable of a kept mutation that takes its key, if there is one. */
export function keyVariableOf({ document }: KeptMutation, name: string): string | undefined {
  return declaresVariable(document, name) ? name : undefined;
}

/** How a journal is to treat one mutation, in the context of the call. */
export interface JournalContext {
  /** For a link with a journal: the lane, the intent, and whatever else is to be kept with it. */
  journal?: Pick<Submission, 'lane' | 'after' | 'intent' | 'meta'> | undefined;
}
