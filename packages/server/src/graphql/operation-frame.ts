import { type DocumentNode, print, separateOperations } from 'graphql';
import { canonicalJson } from '../fingerprint/canonical-json.ts';
import type { CanonicalFrame } from '../fingerprint/framed-input.ts';

/**
 * What of a mutation is in its fingerprint besides its variables: the text of the operation and the
 * fragments it uses, without white space, comments and whatever else is in the document. Literals and
 * aliases stay, for they decide what happens and what is answered.
 *
 * Parsers hand out the same node for the same text, and printing costs more than all the rest of
 * a fingerprint, so it is kept with the node, as a fingerprint writes it.
 */
export function operationFrame(document: DocumentNode, name: string | undefined): CanonicalFrame {
  let known = frames.get(document);
  if (!known) frames.set(document, (known = new Map<string, CanonicalFrame>()));
  let frame = known.get(name ?? '');
  if (!frame) known.set(name ?? '', (frame = frameOf(document, name)));
  return frame;
}

const frames = new WeakMap<DocumentNode, Map<string, CanonicalFrame>>();

function frameOf(document: DocumentNode, operationName: string | undefined): CanonicalFrame {
  const separate = separateOperations(document)[operationName ?? ''];
  if (!separate) throw new TypeError('Expected the document to contain the operation');
  const without = canonicalJson({ document: print(separate), operationName });
  return { without, before: `${without.slice(0, -1)},"variables":` };
}
