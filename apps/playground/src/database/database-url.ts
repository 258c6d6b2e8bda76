/** The database of the playground, on a port of this machine. */
export function databaseUrl(port: number): string {
  return `postgres://postgres@127.0.0.1:${port}/postgres`;
}
