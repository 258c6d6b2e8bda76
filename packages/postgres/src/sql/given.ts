import { binaryArray, type ElementType } from '../database/binary-array.ts';

/**
 * What a statement is given about a record: a name and a type for `$1`, `$2`, and so on.
 *
 * A statement that reads `given.id` instead of `$1` can be about one record, or about many.
 */
export type GivenColumns = readonly (readonly [name: string, type: ElementType])[];

/** One row, of the parameters themselves. */
export function givenOne(columns: GivenColumns): string {
  const selected = columns.map(([name, type], at) => `$${at + 1}::${type} as ${name}`);
  return `(select ${selected.join(', ')}) as given`;
}

/** A row for each element of the parameters, which are arrays; `at` counts them from one. */
export function givenMany(columns: GivenColumns): string {
  const arrays = columns.map(([, type], at) => `$${at + 1}::${type}[]`);
  const names = columns.map(([name]) => name);
  return `unnest(${arrays.join(', ')}) with ordinality as given(${names.join(', ')}, at)`;
}

/** The parameters of {@link givenMany}, from those that each row would have alone. */
export function arraysOf(
  columns: GivenColumns,
  rows: readonly (readonly unknown[])[],
): readonly Buffer[] {
  return columns.map(([, type], at) =>
    binaryArray(
      type,
      rows.map((row) => row[at]),
    ),
  );
}
