/** What names an error, without anything else that it may carry. */
export function bareError(error: unknown): Error {
  const { name, message, code } = Object(error) as Partial<Error & { code: unknown }>;
  const bare = new Error(String(message ?? 'The mutation failed').slice(0, 500));
  bare.name = String(name ?? 'Error').slice(0, 100);
  const short = typeof code === 'number' || (typeof code === 'string' && code.length <= 100);
  return short ? Object.assign(bare, { code }) : bare;
}
