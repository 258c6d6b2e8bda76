import { type DocumentNode, print, separateOperations } from 'graphql';

/**
 * The text of one operation and the fragments it uses: without white space, comments and whatever
 * else is in the document. Literals and aliases stay, for they decide what happens and what is
 * answered.
 *
 * Parsers hand out the same node for the same text, and printing costs more than all the rest of
 * a fingerprint, so the text is kept with the node.
 */
export function operationText(document: DocumentNode, name: string | undefined): string {
  const known = texts.get(document) ?? new Map<string, string>();
  texts.set(document, known);
  const operation = name ?? '';
  const text = known.get(operation) ?? printOperation(document, operation);
  known.set(operation, text);
  return text;
}

const texts = new WeakMap<DocumentNode, Map<string, string>>();

function printOperation(document: DocumentNode, name: string): string {
  const separate = separateOperations(document)[name];
  if (!separate) throw new TypeError('Expected the document to contain the operation');
  return print(separate);
}
