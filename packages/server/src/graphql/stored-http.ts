/**
 * `extensions` without the headers that servers read from `extensions.http`: a stored `Set-Cookie`
 * would sign in whoever sends the key again. The status stays, because it is part of the answer.
 */
export function withoutHeaders(
  extensions: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { http, ...others } = extensions;
  if (typeof http !== 'object' || http === null) return { ...extensions };
  const { status, spec } = http as { status?: unknown; spec?: unknown };
  return { ...others, http: { status, spec } };
}
