/** A handler, or a step, for deliveries that must be answered without it. */
export function mustNotRun(): never {
  throw new Error('this must not run');
}
