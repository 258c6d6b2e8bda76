/** When something happened, to the second. */
export function clockTime(at: Date): string {
  return at.toLocaleTimeString(undefined, { hour12: false });
}
