/** Headers as any platform has them: `Headers`, or names with one value or several. */
export type HeaderSource = HeaderMap | { readonly [name: string]: unknown };

/** `Headers`, or a map that ignores the case of names, as Apollo Server has one. */
interface HeaderMap {
  get(name: string): string | null | undefined;
}

/** Every line of a header, where the platform keeps them apart. */
export function headerLines(headers: HeaderSource, name: string): string[] {
  if (isHeaderMap(headers)) {
    const line = headers.get(name);
    return typeof line === 'string' ? [line] : [];
  }
  const lines: string[] = [];
  for (const key of Object.keys(headers)) {
    // Node.js has lower case; gateways such as AWS hand on whatever the client wrote.
    if (key.length !== name.length || key.toLowerCase() !== name.toLowerCase()) continue;
    const value = headers[key];
    for (const line of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof line === 'string') lines.push(line);
    }
  }
  return lines;
}

function isHeaderMap(headers: HeaderSource): headers is HeaderMap {
  return typeof headers.get === 'function';
}
