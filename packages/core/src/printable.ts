/**
 * A text that can be shown on a terminal or a page as it is.
 *
 * Scopes, operations and errors come from elsewhere: what could move the cursor, set a title or
 * turn the direction of writing is shown by its number.
 */
export function printable(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
