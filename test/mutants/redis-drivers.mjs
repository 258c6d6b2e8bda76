const source = (/** @type {string} */ file) => `packages/redis/src/${file}`;
const oneConnection = source('send-on-one-connection.ts');
const versions = [source('node-redis.test.ts')];
const replicas = [source('send-on-one-connection.test.ts')];
const refusals = [source('node-redis-refusals.test.ts')];

/** @type {import('./runner/mutants.mjs').Mutant[]} */
export const mutants = [
  {
    name: 'node-redis: version 4 replies with text',
    file: source('node-redis-client.ts'),
    find: 'returnBuffers: true',
    replace: 'returnBuffers: false',
    tests: versions,
  },
  {
    name: 'node-redis: a WAIT of the next connection counts',
    file: oneConnection,
    find: '.size > 1',
    replace: '.size > 2',
    tests: replicas,
  },
  {
    name: 'node-redis: a connection counts when it is ready',
    file: oneConnection,
    find: "client.on('connect'",
    replace: "client.on('ready' as 'connect'",
    tests: replicas,
  },
  {
    name: 'node-redis: a WAIT that is urgent comes before its write',
    file: oneConnection,
    find: '{ ...asBytes, asap: false }',
    replace: '{ ...asBytes }',
    tests: replicas,
  },
  {
    name: 'node-redis: a pipeline waits for a server that is down',
    file: source('node-redis.ts'),
    find: 'await offline(client);',
    replace: '',
    tests: versions,
  },
  {
    name: 'node-redis: a server may move a client between a write and its WAIT',
    file: source('node-redis.ts'),
    find: 'if (waits) checkHandoffs(client);',
    replace: 'void [waits, checkHandoffs];',
    tests: refusals,
  },
  {
    name: 'node-redis: a client that does not say whether it is ready is taken',
    file: source('node-redis.ts'),
    find: "typeof client.isReady !== 'boolean'",
    replace: "typeof client.isReady === 'string'",
    tests: refusals,
  },
  {
    name: 'redis: an error without a code has no name either',
    file: source('redis-store-error.ts'),
    find: '(constructor?.name ?? name) : name',
    replace: '(void constructor, name) : name',
    tests: [source('redis-store-error.test.ts')],
  },
  {
    name: 'node-redis: a cluster is taken for a client',
    file: source('node-redis.ts'),
    find: "typeof client.select !== 'function'",
    replace: "typeof client.sendCommand !== 'function'",
    tests: refusals,
  },
];
