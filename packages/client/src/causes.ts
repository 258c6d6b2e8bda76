/** An error and what it was caused by, outermost first. */
export function causes(error: unknown): object[] {
  const chain: object[] = [];
  // An error may be its own cause.
  while (typeof error === 'object' && error !== null && !chain.includes(error)) {
    chain.push(error);
    error = (error as ErrorOptions).cause;
  }
  return chain;
}
