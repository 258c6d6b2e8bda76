/**
 * Whether the operation that a request names is a mutation, by the text of its document.
 *
 * Not a parser, which would outweigh everything else: words outside of braces, comments and
 * strings are all it takes to tell the operations of a document apart.
 */
export function isMutationText(text: string, operationName?: unknown): boolean {
  let depth = 0;
  for (const [token, kind, name] of text.replace(ignored, ' ').matchAll(tokens)) {
    if ('{('.includes(token)) {
      // `{ … }` on its own is a query.
      depth++;
    } else if ('})'.includes(token)) {
      depth--;
    } else if (depth === 0 && kind && (!operationName || name === operationName)) {
      return kind === 'mutation';
    }
  }
  return false;
}

/**
 * Commas, which are white space, comments, and strings of both kinds; to the end where one is not
 * closed, or it would take for ever.
 */
const ignored = /,|"""(?:\\"""|[^])*?(?:"""|$)|"(?:\\.|[^"\\\n])*"?|#.*/g;

/** A fragment, a type condition and a directive may be called `mutation`, too. */
const tokens =
  /[{}()]|(?:@\s*|\bon\s+|\bfragment\s+)\w+|\b(query|mutation|subscription)\b\s*(\w*)/g;
