const folder = 'packages/client/src';
const result = `${folder}/graphql/describe-result.ts`;
const open = `${folder}/graphql/open-mutation.ts`;
const apolloLink = `${folder}/apollo/idempotency-link.ts`;
const apolloAttempt = `${folder}/apollo/attempt-operation.ts`;
const urqlAttempt = `${folder}/urql/attempt-operation.ts`;
const urqlAttempts = `${folder}/urql/attempts.ts`;
const sender = `${folder}/fetch/attempt-sender.ts`;
const apollo = [`${folder}/apollo/`];
const urql = [`${folder}/urql/`];
const fetch = [`${folder}/fetch/`];
const graphql = [`${folder}/graphql/`];

/** @type {import('./runner/mutants.mjs').Mutant[]} */
export const mutants = [
  {
    name: 'GraphQL: a code beside one that stays the same is not waited for',
    file: result,
    find: "found.find(({ retry }) => retry !== 'never') ?? found[0]",
    replace: 'found[0]',
    tests: graphql,
  },
  {
    name: 'GraphQL: a 503 with errors in its body is an answer',
    file: result,
    find: 'if (response && response.status >= 300) {',
    replace: 'if (response && response.status >= 300 && errors.length === 0) {',
    tests: [...apollo, ...graphql],
  },
  {
    name: 'GraphQL: an executed mutation is retried for its status',
    file: result,
    find: "if (result?.data !== undefined) return errors.length > 0 ? { kind: 'answered' } : undefined;",
    replace: 'if (result?.data !== undefined && errors.length === 0) return undefined;',
    tests: graphql,
  },
  {
    name: 'GraphQL: a code is known only with its details',
    file: result,
    find: "if (typeof code !== 'string' || !code.startsWith('IDEMPOTENCY_')) return undefined;",
    replace: 'if (code !== undefined || code === undefined) return undefined;',
    tests: apollo,
  },
  {
    name: 'GraphQL: a form that changes changes what is sent',
    file: open,
    find: 'copyInput(given.variables ?? {}) as Variables',
    replace: '{ ...given.variables }',
    tests: [...apollo, ...urql],
  },
  {
    name: 'GraphQL: a key in the variables is replaced',
    file: open,
    find: '(inVariables ?? keyOf(given.operation))',
    replace: 'keyOf(given.operation)',
    tests: [...apollo, ...urql],
  },
  {
    name: 'GraphQL: the variable is left empty',
    file: open,
    find: 'if (declared && intent.key) variables[variable] = intent.key;',
    replace: '',
    tests: [...apollo, ...urql],
  },
  {
    name: 'GraphQL: the word mutation in a string makes one',
    file: `${folder}/graphql/mutation-text.ts`,
    find: "text.replace(ignored, ' ')",
    replace: 'text',
    tests: graphql,
  },
  {
    name: 'Apollo: a 409 as graphql-response+json passes for a result',
    file: apolloLink,
    find: 'if (failure) throw errorForAnswer({ failure, results });',
    replace: '',
    tests: apollo,
  },
  {
    name: 'Apollo: an answer is an error of ours',
    file: apolloLink,
    find: 'if (answer) settle(answer.results);',
    replace: 'if (!answer) settle([]);',
    tests: apollo,
  },
  {
    name: 'Apollo: a link that leaves extensions out drops the key',
    file: apolloAttempt,
    find: '...context.http, includeExtensions: true',
    replace: '...context.http',
    tests: apollo,
  },
  {
    name: 'Apollo: a header of another mutation stays',
    file: apolloAttempt,
    find: '...withoutKey(context.headers), ...attempt.headers()',
    replace: '...attempt.headers(), ...context.headers',
    tests: apollo,
  },
  {
    name: 'Apollo: what is sent again from above is another intent',
    file: apolloLink,
    find: 'operation.setContext({ idempotencyKey: opened.intent.key });',
    replace: '',
    tests: apollo,
  },
  {
    name: 'Apollo: two links in a chain retry each other',
    file: apolloLink,
    find: ' || isAttempt(operation)',
    replace: '',
    tests: apollo,
  },
  {
    name: 'Apollo: the signal of a call is not heard',
    file: apolloLink,
    find: "signal?.addEventListener('abort', abort);",
    replace: '',
    tests: apollo,
  },
  {
    name: 'Apollo: an attempt that is over goes on',
    file: `${folder}/apollo/results-of.ts`,
    find: 'subscription.unsubscribe()',
    replace: 'undefined',
    tests: apollo,
  },
  {
    name: 'Apollo: the parts of two attempts are mixed',
    file: `${folder}/apollo/results-of.ts`,
    find: 'if (!(result as { hasNext?: boolean } | null)?.hasNext) resolve(results);',
    replace: 'resolve(results);',
    tests: apollo,
  },
  {
    name: 'urql: equal mutations share the key of their operation',
    file: urqlAttempt,
    find: 'key: --lastKey,',
    replace: '',
    tests: urql,
  },
  {
    name: 'urql: the offline queue does not get the key',
    file: urqlAttempt,
    find: 'const extensions = { ...operation.extensions, idempotencyKey: intent.key };',
    replace: 'const { extensions } = operation;',
    tests: urql,
  },
  {
    name: 'urql: a mutation that is sent again without a reload has another key',
    file: urqlAttempt,
    find: '      idempotencyKey: intent.key,\n',
    replace: '',
    tests: urql,
  },
  {
    name: 'urql: an attempt that is over is not torn down',
    file: urqlAttempts,
    find: "down(makeOperation('teardown', operation))",
    replace: 'undefined',
    tests: urql,
  },
  {
    name: 'urql: a result in parts ends with the first',
    file: urqlAttempts,
    find: 'if (result.hasNext) return;',
    replace: '',
    tests: urql,
  },
  {
    name: 'urql: a result follows a teardown',
    file: `${folder}/urql/idempotency-exchange.ts`,
    find: 'if (!controller.signal.aborted) up(result);',
    replace: 'up(result);',
    tests: urql,
  },
  {
    name: 'urql: the headers of the application are lost',
    file: urqlAttempt,
    find: 'new Headers(own?.headers)',
    replace: 'new Headers()',
    tests: urql,
  },
  {
    name: 'urql: an outage hides the network error that the offline queue goes by',
    file: `${folder}/urql/answer.ts`,
    find: 'new CombinedError(last?.error ?? { networkError: error })',
    replace: 'new CombinedError({ networkError: error })',
    tests: urql,
  },
  {
    name: 'fetch: a request without a key is retried',
    file: `${folder}/fetch/idempotent-fetch.ts`,
    find: "if (key !== true && typeof key !== 'string') return send(input, init);",
    replace: '',
    tests: fetch,
  },
  {
    name: 'fetch: a stream is sent twice',
    file: `${folder}/fetch/replayable-body.ts`,
    find: "return !('getReader' in body) && !(Symbol.asyncIterator in body);",
    replace: 'return true;',
    tests: fetch,
  },
  {
    name: 'fetch: a form is written anew for every attempt',
    file: `${folder}/fetch/replayable-body.ts`,
    find: "if (typeof body !== 'object' || body instanceof Blob) return { body };",
    replace: 'if (body !== undefined || body === undefined) return { body };',
    tests: fetch,
  },
  {
    name: 'fetch: the body of a Request is used up by the first attempt',
    file: sender,
    find: 'requestOf(input)?.clone() ?? input',
    replace: 'input',
    tests: fetch,
  },
  {
    name: 'fetch: the response of the caller is read',
    file: `${folder}/fetch/describe-response.ts`,
    find: 'response.clone().text()',
    replace: 'response.text()',
    tests: fetch,
  },
  {
    name: 'fetch: a refusal rejects',
    file: `${folder}/fetch/idempotent-fetch.ts`,
    find: 'if (answer) return answer.response;',
    replace: '',
    tests: fetch,
  },
  {
    name: 'fetch: a signal does not end the reading of a body',
    file: sender,
    find: 'signal: either(attempt.signal, signal),',
    replace: 'signal: attempt.signal,',
    tests: fetch,
  },
  {
    name: 'fetch: a key of the caller is written anew',
    file: sender,
    find: 'if (!headers.has(name)) headers.set(name, value);',
    replace: 'headers.set(name, value);',
    tests: fetch,
  },
  {
    name: 'Apollo: a key that was not given is forgotten between the tries of a RetryLink',
    file: 'packages/client/src/apollo/idempotency-link.ts',
    find: 'operation.setContext({ ...contextAfter(attempted), idempotencyKey });',
    replace: 'void idempotencyKey;\n          operation.setContext(contextAfter(attempted));',
    tests: ['packages/client/src/apollo/keys.test.ts'],
  },
];
