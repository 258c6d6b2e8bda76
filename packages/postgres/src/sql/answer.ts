/**
 * Selects one column, a text that holds a JSON object of these expressions.
 *
 * Drivers read types differently, users set parsers of their own, and plugins rename columns or
 * turn what they recognise into something else. A text they all leave alone.
 */
export function answer(expressions: Readonly<Record<string, string>>): string {
  return `${jsonText(expressions)} as answer`;
}

/** The text of {@link answer}, where it is a part of something else. */
export function jsonText(expressions: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(expressions).map(([name, value]) => `'${name}', ${value}`);
  return `json_build_object(${pairs.join(',\n              ')})::text`;
}

/** What {@link answer} selected, row by row. */
export function readAnswers<Row>(rows: readonly unknown[]): Row[] {
  // By its place: the column's name is the user's to change.
  return rows.map((row) => JSON.parse(Object.values(row as object)[0] as string) as Row);
}

/** Bytes as digits, which JSON can hold. */
export function hex(bytes: string): string {
  return `encode(${bytes}, 'hex')`;
}

export function fromHex(digits: string | null): Uint8Array | null {
  return digits === null ? null : new Uint8Array(Buffer.from(digits, 'hex'));
}

/** JSON has no number for infinity, and PostgreSQL writes it as a word. */
export type JsonNumber = number | 'Infinity' | '-Infinity';
