import { refuseFiles } from '../refuse-files.ts';
import type { Submission } from '../journal/submission.ts';
import { declaresVariable, type ParsedDocument } from './document.ts';
import type { Variables } from './open-mutation.ts';

/** What a journal keeps of a mutation. JSON. */
export interface KeptMutation {
  readonly document: ParsedDocument;
  readonly variables: Variables;
  readonly extensions?: Record<string, unknown> | undefined;
  /** Of the context of the call, what was to be kept. */
  readonly context?: Record<string, unknown>;
}

/** Of a mutation and the context it was called with, what a journal keeps. */
export function keptMutation(
  { document, variables, extensions }: KeptMutation,
  context: object,
  keepContext: readonly string[],
): KeptMutation {
  refuseFiles(variables, 'variables');
  // Without what parsers note about the text, which is no JSON and as large as the rest.
  const text = JSON.stringify(document, (name, value: unknown) =>
    name === 'loc' ? undefined : value,
  );
  const entries = Object.entries(context).filter(([name]) => keepContext.includes(name));
  return {
    document: JSON.parse(text) as ParsedDocument,
    variables,
    extensions,
    ...(entries.length > 0 && { context: Object.fromEntries(entries) }),
  };
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
