/** Where the tables live. */
export interface SchemaOptions {
  /**
   * The schema of the tables. Two applications in one database use two, and never meet.
   *
   * @defaultValue `'onceward'`
   */
  schema?: string;
}

/**
 * The name of the schema, ready to be put into SQL.
 *
 * Checked although it is quoted: it also names an advisory lock, and it is better to refuse a name
 * that needs care in psql, in a backup script and in a grant.
 */
export function quotedSchema({ schema = 'onceward' }: SchemaOptions): string {
  if (typeof schema === 'string' && /^[a-z_][a-z0-9_]{0,47}$/.test(schema)) return `"${schema}"`;
  throw new TypeError(
    'Expected `schema` to be 1 to 48 lower-case letters, digits and underscores, no digit first',
  );
}
