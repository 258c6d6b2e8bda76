/** Whether the database gave up a statement because it took too long. */
export function isTooSlow(error: unknown): boolean {
  return sqlStateOf(error) === QUERY_CANCELED;
}

const QUERY_CANCELED = '57014';

function sqlStateOf(error: unknown): unknown {
  const { code, cause } = Object(error) as { code?: unknown; cause?: unknown };
  return code ?? (cause === undefined ? undefined : sqlStateOf(cause));
}
