/** A connection, a transaction or a pool. */
export interface Queryable {
  query<Row extends object>(sql: string, values: readonly unknown[]): Promise<{ rows: Row[] }>;
}

/** The one row that a statement returns by construction. */
export function onlyRow<Row>({ rows }: { rows: Row[] }): Row {
  const [row] = rows;
  if (!row) throw new Error('The statement returned no row');
  return row;
}
