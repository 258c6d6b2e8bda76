/**
 * Whether a request comes from the console's own page.
 *
 * Browsers say where a request comes from, and pages cannot change that. A request that does not
 * say it at all is refused: whatever is no browser has the command line.
 *
 * Without a configured origin the host decides, because behind a proxy nobody here knows whether it
 * was `https`.
 */
export function isSameOrigin({ headers, url }: Request, configured: string | undefined): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') return false;
  const origin = headers.get('origin');
  if (origin === null) return site === 'same-origin';
  if (configured !== undefined) return origin === configured;
  return URL.canParse(origin) && new URL(origin).host === new URL(url).host;
}
