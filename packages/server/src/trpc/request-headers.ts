/** Headers as any platform has them: `Headers`, or names with one value or several. */
export type HeaderSource = Pick<Headers, 'get'> | { readonly [name: string]: unknown };

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

function isHeaders(headers: HeaderSource): headers is Pick<Headers, 'get'> {
  return typeof headers.get === 'function';
}
