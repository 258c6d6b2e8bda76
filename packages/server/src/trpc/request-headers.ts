/** Headers as any platform has them: `Headers`, or names with one value or several. */
export type HeaderSource = HeaderMap | { readonly [name: string]: unknown };

/** `Headers`, or a map that ignores the case of names, as Apollo Server has one. */
interface HeaderMap {
  get(name: string): string | null | undefined;
}

/** Every line of a header, where the platform keeps them apart. */
export function headerLines(headers: HeaderSource, name: string): string[] {
  const value: unknown = isHeaders(headers)
    ? headers.get(name)
    : // Node.js has lower case; gateways such as AWS hand on whatever the client wrote.
      Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.map(String) : [];
}

/** Whether the request came with a body, as far as its headers say. */
export function announcesBody(headers: HeaderSource): boolean {
  const [length = '0'] = headerLines(headers, 'content-length');
  return length.trim() !== '0' || headerLines(headers, 'transfer-encoding').length > 0;
}

function isHeaders(headers: HeaderSource): headers is HeaderMap {
  return typeof headers.get === 'function';
}
