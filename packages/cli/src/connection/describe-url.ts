/**
 * Where a URL leads, for messages: without its password, and without its parameters, of which one
 * may be a password too.
 */
export function describeUrl(text: string): string {
  const url = parse(text);
  // An `@` behind the host: the password had a slash in it, and its end is taken for a path.
  if (!url || url.pathname.includes('@') || url.hash !== '') return 'the server of that URL';
  const user = url.username === '' ? '' : `${url.username}@`;
  const host = url.host === '' ? (url.searchParams.get('host') ?? '') : url.host;
  return `${url.protocol}//${user}${host}${url.pathname}`;
}

/** Takes the password of a URL out of a text, however it got in there. */
export function withoutPassword(text: string, url: string): string {
  const { password = '' } = parse(url) ?? {};
  return [password, decoded(password), url]
    .filter((secret) => secret.length > 0)
    .reduce((safe, secret) => safe.replaceAll(secret, '…'), text);
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
