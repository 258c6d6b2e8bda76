const source = 'packages/server/src/fetch';
const tests = [`${source}/fetch.test.ts`];

/** @type {import('./runner/mutants.mjs').Mutant[]} */
export const mutants = [
  {
    name: 'cookies are replayed',
    file: `${source}/stored-response.ts`,
    find: 'bodyHeaders.has(name) || replayHeaders.has(name)',
    replace: 'name.length > 0 || bodyHeaders.has(name) || replayHeaders.has(name)',
    tests,
  },
  {
    name: 'the first caller gets no cookies',
    file: `${source}/stored-response.ts`,
    find: 'headers: ownHeaders ?? kept',
    replace: 'headers: kept',
    tests,
  },
  {
    name: 'no body is an empty body',
    file: `${source}/stored-response.ts`,
    find: 'empty: body === null',
    replace: 'empty: false',
    tests,
  },
  {
    name: 'the address does not count',
    file: `${source}/request-input.ts`,
    find: '`${method} ${pathname}${search}`',
    replace: '`${method}`',
    tests,
  },
  {
    name: 'JSON is compared byte by byte',
    file: `${source}/request-input.ts`,
    find: "isJson(headers.get('content-type')) ? parseJson(body) : undefined",
    replace: 'undefined',
    tests,
  },
  {
    name: 'whoever goes away stops the handler',
    file: `${source}/request-input.ts`,
    find: 'new Request(url, { method, headers, ...',
    replace: 'new Request(url, { method, headers, signal: request.signal, ...',
    tests,
  },
  {
    name: 'a body may have any length, if nobody says which',
    file: `${source}/request-input.ts`,
    find: "if (size > maxBytes) return 'too-long';",
    replace: '',
    tests,
  },
  {
    name: 'an error of the moment is an answer',
    file: `${source}/response-failure.ts`,
    find: "profile === 'stripe' || answerStatuses.has(status)",
    replace: "profile === 'stripe' || status >= 400",
    tests,
  },
  {
    name: 'a refusal of the business is tried again',
    file: `${source}/response-failure.ts`,
    find: "profile === 'stripe' || answerStatuses.has(status)",
    replace: "profile === 'stripe'",
    tests,
  },
  {
    name: 'a failure is a success',
    file: `${source}/route.ts`,
    find: 'if (stored.status >= 400) throw',
    replace: 'if (stored.status >= 600) throw',
    tests,
  },
  {
    name: 'whoever nobody knows is let in',
    file: `${source}/route.ts`,
    find: 'if (scope instanceof Response) return scope;',
    replace: '',
    tests,
  },
  {
    name: 'a refusal does not say when to come back',
    file: `${source}/problem.ts`,
    find: 'if (retryAfterMs !== undefined) {',
    replace: 'if (retryAfterMs === undefined) {',
    tests,
  },
  {
    name: 'an error of the handler goes to the client',
    file: `${source}/node-handler.ts`,
    find: 'outgoing.end();\n    };',
    replace: 'outgoing.end(String(error));\n    };',
    tests,
  },
];
