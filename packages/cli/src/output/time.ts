/** An instant for people: to the second, in UTC. */
export function formatTime(ms: number): string {
  if (!Number.isFinite(ms)) return 'never';
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')}Z`;
}
