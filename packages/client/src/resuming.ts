/**
 * The context of the operation with which `resumeDelivery` reaches a link, through whatever stands
 * above it. It goes no further.
 */
export const resuming = { journal: 'resume' };

export function isResuming(context: object): boolean {
  return (context as typeof resuming).journal === resuming.journal;
}
