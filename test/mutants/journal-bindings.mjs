const folder = 'packages/client/src';
const react = ['test/engines/react.test.ts'];
const followIntents = `${folder}/react/follow-intents.ts`;
const useJournaled = `${folder}/react/use-journaled-mutation.ts`;
const usePending = `${folder}/react/use-pending-mutations.ts`;
const useRecords = `${folder}/react/use-records.ts`;
const graphql = [`${folder}/apollo/journal.test.ts`, `${folder}/urql/journal.test.ts`];
const apollo = [`${folder}/apollo/journal.test.ts`];
const urql = [`${folder}/urql/journal.test.ts`];
const trpc = [`${folder}/trpc/journal.test.ts`];
const kept = `${folder}/graphql/kept-mutation.ts`;
const apolloChannel = `${folder}/apollo/apollo-channel.ts`;
const apolloJournaled = `${folder}/apollo/journaled-link.ts`;
const apolloLink = `${folder}/apollo/idempotency-link.ts`;
const urqlChannel = `${folder}/urql/urql-channel.ts`;
const urqlJournaled = `${folder}/urql/journaled-exchange.ts`;
const urqlDelivery = `${folder}/urql/deliver-operation.ts`;
const trpcJournaled = `${folder}/trpc/journaled-link.ts`;
const trpcChannel = `${folder}/trpc/trpc-channel.ts`;

/** @type {import('./runner/mutants.mjs').Mutant[]} */
export const mutants = [
  {
    name: 'React: two buttons without a name share an intent',
    file: followIntents,
    find: 'intent: named ?? `${Math.random()}`',
    replace: "intent: named ?? 'intent'",
    tests: react,
  },
  {
    name: 'React: an end is shown before its outcome',
    file: followIntents,
    find: 'else if (isLive(found)) showPending(found);',
    replace: 'else show({ status: found.state, isPending: isLive(found), record: found });',
    tests: react,
  },
  {
    name: 'React: what an earlier page has left is not found',
    file: followIntents,
    find: '      look();\n      return () => {',
    replace: '      return () => {',
    tests: react,
  },
  {
    name: 'React: what an earlier page has left never ends',
    file: followIntents,
    find: 'if (!current.waits) void follow(journal.settlementOf(found.id) as Promise<Result>, found);\n    // Its end',
    replace: 'if (!current.waits) showPending(found);\n    // Its end',
    tests: react,
  },
  {
    name: 'React: a second click that is refused hides the first',
    file: followIntents,
    find: 'if (current.waits && outcome.error) return',
    replace: 'if (current.waits < 0 && outcome.error) return',
    tests: react,
  },
  {
    name: 'React: what nobody knows the outcome of is sent again under another name',
    file: followIntents,
    find: 'if (record && !isSettled(record)) current.seen = record;\n    else current = next(record);',
    replace: 'current = next(record);',
    tests: react,
  },
  {
    name: 'React: what was cancelled counts as failed',
    file: followIntents,
    find: 'show({ ...outcome, ...(record && { status: record.state, record }) });',
    replace: 'show({ ...outcome, ...(record && { record }) });',
    tests: react,
  },
  {
    name: 'React: a click is faster than the disk, and cannot be cancelled',
    file: followIntents,
    find: 'while (current.waits && !find()) await',
    replace: 'while (current.waits < 0 && !find()) await',
    tests: react,
  },
  {
    name: 'React: a component that is gone still listens',
    file: followIntents,
    find: '        stop();\n',
    replace: '        void stop;\n',
    tests: react,
  },
  {
    name: 'React: another intent keeps the state of the one before',
    file: useJournaled,
    find: 'if (kept.journal !== journal || kept.intent !== intent) {',
    replace: 'if (kept.journal !== journal) {',
    tests: react,
  },
  {
    name: 'React: after another sign-in, the journal of the last user is followed',
    file: useJournaled,
    find: 'if (kept.journal !== journal || kept.intent !== intent) {',
    replace: 'if (kept.intent !== intent) {',
    tests: react,
  },
  {
    name: 'React: a click submits as the first render would have',
    file: useJournaled,
    find: '  useEffect(() => void (follower.perform = perform));\n',
    replace: '  void useEffect;\n',
    tests: react,
  },
  {
    name: 'React: lane and meta are lost',
    file: useJournaled,
    find: 'const entry = { ...options, intent: name };',
    replace: 'const entry = { intent: name };',
    tests: react,
  },
  {
    name: 'React: a call does not get the name of the intent',
    file: useJournaled,
    find: 'return mutation(input, { context: { journal: entry } });',
    replace: 'return mutation(input, { context: { journal: { ...options } } });',
    tests: react,
  },
  {
    name: 'React: a server renders what it has in its own journal',
    file: useRecords,
    find: '() => select([]),',
    replace: '() => select(journal.records()),',
    tests: react,
  },
  {
    name: 'React: a list goes on showing the journal of the last user',
    file: useRecords,
    find: '[journal]),',
    replace: '[]),',
    tests: react,
  },
  {
    name: 'React: what has settled is pending',
    file: usePending,
    find: '!isSettled(record) && filter(record)',
    replace: '(isSettled(record) || record) && filter(record)',
    tests: react,
  },
  {
    name: 'React: what is to be resolved is not listed',
    file: usePending,
    find: '!isSettled(record) && filter(record)',
    replace: "!isSettled(record) && record.state !== 'unresolved' && filter(record)",
    tests: react,
  },
  {
    name: 'React: the filter is not asked',
    file: usePending,
    find: '!isSettled(record) && filter(record)',
    replace: '!isSettled(record) && (filter(record) || true)',
    tests: react,
  },
  {
    name: 'React: a record that changes is shown as it was',
    file: usePending,
    find: 'listed.length !== current.length || listed.some((record, at) => record !== current[at])',
    replace: 'listed.length !== current.length',
    tests: react,
  },
  {
    name: 'GraphQL: the lane and the intent of a call are not heard',
    file: apolloJournaled,
    find: "const submission = { ...entry, channel: 'apollo'",
    replace: "void entry;\n        const submission = { channel: 'apollo'",
    tests: apollo,
  },
  {
    name: 'GraphQL: the whole context is kept, with its headers',
    file: kept,
    find: '.filter(([name]) => keepContext.includes(name));',
    replace: '.filter(([name]) => keepContext.length > 0 && name);',
    tests: graphql,
  },
  {
    name: 'GraphQL: files are kept as empty objects',
    file: kept,
    find: "  refuseFiles(variables, 'variables');\n",
    replace: '  void refuseFiles;\n',
    tests: graphql,
  },
  {
    name: 'GraphQL: the notes of the parser are kept',
    file: kept,
    find: "name === 'loc' ? undefined : value",
    replace: "name === 'loc' ? value : value",
    tests: graphql,
  },
  {
    name: 'GraphQL: the text of a mutation passes for its name',
    file: `${folder}/graphql/mutation-journal.ts`,
    find: "if (!mutation.includes('{')) return mutation;",
    replace: 'if (mutation) return mutation;',
    tests: graphql,
  },
  {
    name: 'GraphQL: a replaced key is not in its variable',
    file: kept,
    find: 'return keyVariable !== undefined && key ? { ...variables, [keyVariable]: key } : variables;',
    replace: 'return keyVariable !== undefined && key ? variables : variables;',
    tests: graphql,
  },
  {
    name: 'Apollo: keys come from elsewhere than the journal',
    file: apolloLink,
    find: 'newKey: options.newKey ?? (journal && (() => journal.mintKey())),',
    replace: 'newKey: options.newKey,',
    tests: apollo,
  },
  {
    name: 'Apollo: a mutation without a key is kept',
    file: apolloLink,
    find: 'const journaled = key && this.#journaled;',
    replace: 'const journaled = this.#journaled;',
    tests: apollo,
  },
  {
    name: 'Apollo: only mutations connect the journal',
    file: apolloLink,
    find: 'const resumed = this.#journaled?.connect(operation, forward);',
    replace:
      'const resumed = isMutation(operation.query) ? this.#journaled?.connect(operation, forward) : undefined;',
    tests: apollo,
  },
  {
    name: 'Apollo: what was kept of the context is not sent',
    file: apolloChannel,
    find: 'const parcel = { operation, context, variables, keyVariable, carrier };',
    replace:
      'void context;\n      const parcel = { operation, context: {}, variables, keyVariable, carrier };',
    tests: apollo,
  },
  {
    name: 'Apollo: after a restart a key travels where it did not before',
    file: apolloChannel,
    find: 'const parcel = { operation, context, variables, keyVariable, carrier };',
    replace:
      "void carrier;\n      const parcel = { operation, context, variables, keyVariable, carrier: 'extensions' as const };",
    tests: apollo,
  },
  {
    name: 'Apollo: after a restart the extensions of a call are lost',
    file: apolloChannel,
    find: 'createOperation({ query, variables, extensions }, { client })',
    replace: '(void extensions, createOperation({ query, variables }, { client }))',
    tests: apollo,
  },
  {
    name: 'Apollo: an error page is an error without a status later',
    file: apolloChannel,
    find: 'if (bodyText === undefined || status === undefined) return new Error(message);',
    replace: 'if (bodyText !== null) return new Error(message);',
    tests: apollo,
  },
  {
    name: 'Apollo: a refusal loses its code later',
    file: apolloChannel,
    find: 'failure: describeResult(results[0]) ?? answered, results',
    replace: 'failure: results.length < 0 ? describeResult(results[0])! : answered, results',
    tests: apollo,
  },
  {
    name: 'Apollo: the errors of a result are lost later',
    file: apolloChannel,
    find: 'results: answerOf(error)?.results };',
    replace: 'results: answerOf(error) && undefined };',
    tests: apollo,
  },
  {
    name: 'Apollo: of a result in parts the first is kept',
    file: apolloChannel,
    find: '...(parts.length > 0 && { parts })',
    replace: '...(parts.length < 0 && { parts })',
    tests: apollo,
  },
  {
    name: 'urql: keys come from elsewhere than the journal',
    file: `${folder}/urql/idempotency-exchange.ts`,
    find: 'newKey: options.newKey ?? (journal && (() => journal.mintKey())),',
    replace: 'newKey: options.newKey,',
    tests: urql,
  },
  {
    name: 'urql: what an earlier page has left waits for a mutation',
    file: `${folder}/urql/idempotency-exchange.ts`,
    find: 'void Promise.resolve().then(() => journaled?.connect(client, attempts));',
    replace: 'void client;',
    tests: urql,
  },
  {
    name: 'urql: a mutation without a key is kept',
    file: urqlDelivery,
    find: 'journaled && intent.key',
    replace: 'journaled && intent',
    tests: urql,
  },
  {
    name: 'urql: the lane and the intent of a call are not heard',
    file: urqlJournaled,
    find: "{ ...context.journal, channel: 'urql'",
    replace: "{ channel: 'urql'",
    tests: urql,
  },
  {
    name: 'urql: what was kept of the context is not sent',
    file: urqlChannel,
    find: "client.createRequestOperation('mutation', request as never, context);",
    replace: "client.createRequestOperation('mutation', request as never, void context);",
    tests: urql,
  },
  {
    name: 'urql: after a restart a key travels where it did not before',
    file: urqlChannel,
    find: 'const parcel = { variables, keyVariable, carrier, owner: attempts };',
    replace:
      "void carrier;\n      const parcel = { variables, keyVariable, carrier: 'extensions' as const, owner: attempts };",
    tests: urql,
  },
  {
    name: 'urql: after a restart the extensions of a call are lost',
    file: urqlChannel,
    find: 'const request = { key: 0, query: document, variables, extensions };',
    replace: 'void extensions;\n      const request = { key: 0, query: document, variables };',
    tests: urql,
  },
  {
    name: 'urql: an error page has no message later',
    file: urqlChannel,
    find: 'networkError: networkError?.message, status };',
    replace: 'networkError: networkError && undefined, status };',
    tests: urql,
  },
  {
    name: 'urql: an error page has no status later',
    file: urqlChannel,
    find: 'response: status && { status },',
    replace: 'response: status && undefined,',
    tests: urql,
  },
  {
    name: 'urql: the extensions of an error are lost later',
    file: urqlChannel,
    find: 'return { message, path, extensions };',
    replace: 'return { message, path, extensions: extensions && {} };',
    tests: urql,
  },
  {
    name: 'urql: a handler does not learn that its result was replayed',
    file: urqlChannel,
    find: 'return { data, ...(extensions && { extensions }), stale: false, hasNext: false };',
    replace: 'return { data, ...(!extensions && { extensions }), stale: false, hasNext: false };',
    tests: urql,
  },
  {
    name: 'tRPC: keys come from elsewhere than the journal',
    file: trpcJournaled,
    find: 'newKey: options.newKey ?? (() => journal.mintKey()),',
    replace: 'newKey: options.newKey,',
    tests: trpc,
  },
  {
    name: 'tRPC: only mutations connect the journal',
    file: trpcJournaled,
    find: "      journal.connect('trpc', channel);\n",
    replace: "      if (given.type === 'mutation') journal.connect('trpc', channel);\n",
    tests: trpc,
  },
  {
    name: 'tRPC: a mutation without a key is kept',
    file: trpcJournaled,
    find: 'if (!key) return await deliver(intent, send, tools);',
    replace: 'void deliver;',
    tests: trpc,
  },
  {
    name: 'tRPC: files are kept as empty objects',
    file: trpcJournaled,
    find: "          refuseFiles(op.input, 'input');\n",
    replace: '          void refuseFiles;\n',
    tests: trpc,
  },
  {
    name: 'tRPC: the lane and the intent of a call are not heard',
    file: trpcJournaled,
    find: "{ ...entry, channel: 'trpc'",
    replace: "{ ...(entry && {}), channel: 'trpc'",
    tests: trpc,
  },
  {
    name: 'tRPC: a journal’s error is not one of tRPC',
    file: trpcJournaled,
    find: 'throw clientErrorFor(error);',
    replace: 'void clientErrorFor;\n          throw error;',
    tests: trpc,
  },
  {
    name: 'tRPC: an operation that was sent again from above is a new intent when it is over',
    file: trpcJournaled,
    find: '          forget();\n',
    replace: '          void forget;\n',
    tests: trpc,
  },
  {
    name: 'tRPC: two links in a chain keep each other’s attempts',
    file: trpcJournaled,
    find: "if (given.type !== 'mutation' || attemptOf(given)) return next(given);",
    replace:
      "if (given.type !== 'mutation' || attemptOf({ ...given, context: {} })) return next(given);",
    tests: trpc,
  },
  {
    name: 'tRPC: after a restart a key is not put around the input',
    file: trpcJournaled,
    find: 'channel ??= trpcChannel((op, attempt) => sendOperation(op, attempt, { transport, next }));',
    replace:
      "channel ??= trpcChannel((op, attempt) => sendOperation(op, attempt, { transport: 'header', next }));",
    tests: trpc,
  },
  {
    name: 'tRPC: an error has no data later',
    file: trpcChannel,
    find: 'shape: shape as unknown })',
    replace: 'shape: shape && undefined })',
    tests: trpc,
  },
];
