/**
 * Whether a request is going to be answered as `application/graphql-response+json`, whose status
 * says how it went. By its `Accept`, as Apollo Server chooses: quality first, then names before
 * wildcards, then the order; without one, or by a wildcard, it is `application/json`.
 */
export function readsStatus(accept: string | undefined): boolean {
  const ranges = (accept ?? '').split(',').map(parseRange).filter(isAnswer);
  ranges.sort((one, other) => other.quality - one.quality || wildness(one) - wildness(other));
  return ranges[0]?.type === 'application/graphql-response+json';
}

interface Range {
  readonly type: string;
  readonly quality: number;
}

function parseRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return { type, quality: quality === undefined ? 1 : Number(quality) };
}

const answers = new Set([
  ...['application/json', 'application/graphql-response+json'],
  ...['application/*', '*/*'],
]);

function isAnswer({ type, quality }: Range): boolean {
  return answers.has(type) && quality > 0;
}

/** How many of its two parts are left open. */
function wildness({ type }: Range): number {
  return type.split('*').length - 1;
}
