import { type DocumentNode, print, separateOperations } from 'graphql';
import { canonicalJson } from '../fingerprint/canonical-json.ts';
import { CanonicalText } from '../fingerprint/canonical-text.ts';

/**
 * The text of one operation and the fragments it uses: without white space, comments and whatever
 * else is in the document. Literals and aliases stay, for they decide what happens and what is
 * answered.
 *
 * Parsers hand out the same node for the same text, and printing costs more than all the rest of
 * a fingerprint, so the text is kept with the node, as a fingerprint writes it.
 */
export function operationText(document: DocumentNode, name: string | undefined): CanonicalText {
  let known = texts.get(document);
  if (!known) texts.set(document, (known = new Map<string, CanonicalText>()));
  let text = known.get(name ?? '');
  if (!text) known.set(name ?? '', (text = printOperation(document, name ?? '')));
  return text;
}

const texts = new WeakMap<DocumentNode, Map<string, CanonicalText>>();

function printOperation(document: DocumentNode, name: string): CanonicalText {
  const separate = separateOperations(document)[name];
  if (!separate) throw new TypeError('Expected the document to contain the operation');
  return new CanonicalText(canonicalJson(print(separate)));
}
