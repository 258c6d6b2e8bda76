/** Who runs a command that a document tells its reader to run. */
export type RunBy =
  /** A test, or a script of continuous integration, in which this text stands. */
  | { readonly file: string; readonly by: string }
  /** `commands.test.ts` runs it, and expects this of what it prints. */
  | { readonly prints: RegExp }
  /** It takes minutes of both cores: `commands.test.ts` runs this, which is the same for less. */
  | { readonly shorter: string; readonly prints: RegExp }
  /** Nobody, because. */
  | { readonly nobody: string };

const ci = { file: '.ci/run', by: 'npm test' };
const start = { file: 'test/e2e/playground/start-playground.ts', by: "spawn('npm', ['start']" };
const packed = { file: 'test/packaging/packed-project.ts', by: "'install', '--offline'" };
const binary = { file: 'test/packaging/packaging.test.ts', by: "'onceward', 'doctor'" };
const curl = { file: 'test/e2e/playground/keys.test.ts', by: 'apps/playground/README.md' };
const mutants = { file: 'test/mutants/runner/run.test.ts', by: "'run.mjs'" };
const crashes = { file: 'test/crashes/crash-payments.test.ts', by: 'crashPayments({' };
const chaos = { file: 'test/chaos/chaos.test.ts', by: 'runChaos({' };
const simulator = { file: 'test/simulation/simulation.test.ts', by: 'simulate({' };
const model = { file: 'test/model/model.test.ts', by: 'checkConfiguration(' };
const bench = {
  shorter: 'npm run bench -- --quick --only fingerprint',
  prints: /^fingerprint\.4kb\.vs_json_stringify +\d/m,
};
const harness = { shorter: 'npm run test:harness -- bytes', prints: /^(\d) of \1 found$/m };
const expo = 'Expo is not installed here: its command without a phone is run';

/** Every command in a block of a document, as it stands there, but for comments. */
export const commandList: Readonly<Record<string, RunBy>> = {
  'npm ci': { file: '.ci/run', by: 'npm ci' },
  'npm test': ci,
  'npm ci && npm test': ci,
  'npm ci && npm start': start,

  'npm install @onceward/server @onceward/postgres': packed,
  'npm install @onceward/client': packed,
  'npm install @onceward/console': packed,
  'npm install @onceward/core': packed,
  'npm install --save-dev @onceward/cli': packed,
  'npm install --save-dev @onceward/conformance @onceward/server': packed,
  'npm install @onceward/core @onceward/server @onceward/postgres': packed,
  'npm install @onceward/core @onceward/server @onceward/postgres pg': packed,
  'npm install @onceward/core @onceward/server @onceward/redis ioredis': packed,
  'npm install graphql graphql-yoga @graphql-tools/utils': packed,
  'export DATABASE_URL=postgres://ops@db.internal:5432/shop': binary,
  'npx onceward doctor': binary,

  'KEY=$(npx uuid v7)': curl,
  'curl -i localhost:4000/trpc/pay': curl,
  'curl -i localhost:4000/graphql': curl,

  'npm run test:harness': harness,
  'npm run test:harness -- journal': harness,
  'npm run docs:api': { file: 'test/tooling/check.mjs', by: 'api-reference.mjs' },
  'npm run test:mutants -- redis': mutants,
  "ONCEWARD_MUTANT='redis: …' npx vitest run packages/redis": mutants,
  'npm run crashes -- --crashes 1000': crashes,
  'npm run chaos': chaos,
  'npm run chaos -- --minutes 20 --report docs/chaos-report.md': chaos,
  'npm run chaos -- --seed 42': chaos,
  'npm run simulate': simulator,
  'npm run simulate -- --seeds 1000 --mutations 500000': simulator,
  'npm run simulate -- --first-seed 1 --seeds 20 --mutations 10000': simulator,
  'npm run simulate -- --seed 17 --mutations 500': { prints: /, 0 rules broken$/m },
  'npm run test:model': model,
  'npm run test:model -- R1 R3': { prints: /^2 of 2 as expected|no (spin|gcc)/m },
  'cd "$(mktemp -d)" && cp …/test/model/server-key.pml .': model,
  'spin -DEXTERNAL -DRECONCILE -DNO_QUIET -a server-key.pml && gcc -DSAFETY -o pan pan.c && ./pan -E':
    model,
  'spin -DEXTERNAL -DRECONCILE -DNO_QUIET -t -p server-key.pml': model,
  'npm run bench': bench,
  'npm run bench -- --quick': bench,
  'npm run bench -- --only redis --only peers': bench,
  'npm run bench -- --json bench.json': bench,
  'npm run bench -- --plots plots': bench,
  'npm run bench -- --docs': bench,

  'npx create-expo-app payments --template blank-typescript && cd payments': { nobody: expo },
  'npx expo install expo-crypto expo-sqlite @react-native-community/netinfo': { nobody: expo },
  'npm install @onceward/client @onceward/core @trpc/client': packed,
  'npm install --save-dev @onceward/server @trpc/server zod tsx @types/node': packed,
  'npx tsx src/serve.ts': { nobody: expo },
  'npx expo start': { nobody: expo },
};
