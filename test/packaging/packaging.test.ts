import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { bareEngines } from '../engines/bare-engine.ts';
import { bundleForReactNative } from '../engines/bundle-for-react-native.ts';
import { launchChromium } from '../engines/chromium.ts';
import { expectAppJournal } from '../engines/expect-app-journal.ts';
import { runBundle } from '../engines/run-bundle.ts';
import { createDatabase } from '../support/create-database.ts';
import { openGateway } from '../support/faulty-gateway.ts';
import { publishedPackages } from '../tooling/packages.mjs';
import { openProgram } from './open-program.ts';
import { type PackedProject, packProject } from './packed-project.ts';
import { writeReadmePrograms } from './readme-programs.ts';
import { typeCheck } from './type-check.ts';

const packages = publishedPackages();
const entries = packages.flatMap((found) => found.entries);
let project: PackedProject;
vi.setConfig({ testTimeout: 60_000 });

beforeAll(async () => {
  project = await packProject();
}, 300_000);
afterAll(() => project?.[Symbol.asyncDispose]());

describe.for(packages)('the tarball of $name', ({ name }) => {
  test('has the build, its sources, a manifest and the licence', () => {
    const files = project.tarballs.get(name);
    expect(files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'package.json',
        'dist/index.js',
        'dist/index.d.ts',
        'dist/index.js.map',
        'src/index.ts',
      ]),
    );
  });

  test('has the source of every built file, so that stack traces lead somewhere', () => {
    const files = project.tarballs.get(name) ?? [];
    const built = files.filter((path) => path.startsWith('dist/') && path.endsWith('.js'));
    const sources = built.map((path) => path.replace(/^dist/, 'src').replace(/\.js$/, '.ts'));
    expect(files).toEqual(expect.arrayContaining(sources));
  });

  test('has nothing else', () => {
    const files = project.tarballs.get(name) ?? [];
    const expected =
      /^(package\.json|README\.md|LICENSE|migrations\/[\w-]+\.sql|(dist|src)\/[\w./-]+)$/;
    const unwanted = /\.test(-d)?\.|\.tsbuildinfo$|fixture|\.tgz$|(^|\/)node_modules\//;
    expect(files.filter((path) => !expected.test(path) || unwanted.test(path))).toEqual([]);
  });
});

test('every entry can be imported', async () => {
  const script = `
    for (const entry of ${JSON.stringify(entries)}) {
      await import(entry);
      console.log(entry, import.meta.resolve(entry).endsWith('.js') ? 'ok' : 'is a source');
    }
  `;
  const { stdout, stderr } = await project.node('--input-type=module', '--eval', script);
  expect(stderr).toBe('');
  expect(stdout.trim().split('\n')).toEqual(entries.map((entry) => `${entry} ok`));
});

test('every entry can be required, without a warning, and is the module that is imported', async () => {
  const script = `
    (async () => {
      for (const entry of ${JSON.stringify(entries)}) {
        const required = require(entry);
        const imported = await import(entry);
        const same = Object.keys(imported).every((name) => imported[name] === required[name]);
        console.log(entry, same ? 'ok' : 'exists twice');
      }
    })();
  `;
  const { stdout, stderr } = await project.node('--input-type=commonjs', '--eval', script);
  expect(stderr).toBe('');
  expect(stdout.trim().split('\n')).toEqual(entries.map((entry) => `${entry} ok`));
});

test('Metro builds what is installed, and a journal delivers in every bare engine', async () => {
  const folder = join(project.folder, 'node_modules/@onceward');
  const bundle = await bundleForReactNative({ folder, conditions: ['react-native'] });
  for (const engine of bareEngines.filter(({ absent }) => !absent)) {
    expectAppJournal(
      await runBundle(bundle, 'onceward.exerciseAppJournal({ random: random })', engine),
    );
  }
});

test('the binary runs by its name, and connects with what was installed', async () => {
  const { stdout } = await project.npx('onceward', '--help');
  expect(stdout).toContain('Usage: onceward [options] [command]');
  const { stdout: version } = await project.npx('onceward', '--version');
  expect(version).toMatch(/^\d+\.\d+\.\d+\n$/);
  const url = inject('postgresUrl');
  const sql = ['migrate', '--status', '--json', '--schema', 'nowhere', '--url', url];
  const status = project.npx('onceward', ...sql);
  await expect(status).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('"installed":0') as unknown,
  });
  const redis = project.npx('onceward', 'doctor', '--json', '--redis-url', inject('redisUrl'));
  await expect(redis).rejects.toMatchObject({
    stdout: expect.stringContaining('"redis-eviction"') as unknown,
  });
});

test('the server and the client of the README meet, and a lost answer is one payment', async () => {
  const programs = writeReadmePrograms(project.folder);
  expect(programs.names).toEqual(['server.ts', 'client.ts', 'trpc.ts', 'serve.ts']);
  await using database = await createDatabase();
  await using server = await programs.serve(database.url);
  await using gateway = await openGateway(server.url);
  await using browser = await launchChromium();
  const page = await browser.newPage();
  await openProgram(page, { url: gateway.url, script: await programs.bundleClient() });

  // Not a reset, after which Chromium would send the request again by itself.
  gateway.failNext('half the body');
  await page.goto(gateway.url);
  await page.waitForFunction(() => document.title === 'ended');

  const [lost, replayed, ...others] = gateway.requests.filter(({ path }) => path === '/trpc/pay');
  expect(others).toEqual([]);
  expect(replayed?.headers['idempotency-key']).toBe(lost?.headers['idempotency-key']);
  expect(await database.rows('select cents from payments')).toEqual([{ cents: 100 }]);
});

test('React Native gets the files that everybody gets', async () => {
  const script = `
    for (const entry of ${JSON.stringify(entries)}) console.log(import.meta.resolve(entry));
  `;
  const evaluate = ['--input-type=module', '--eval', script];
  const { stdout: everybody } = await project.node(...evaluate);
  const { stdout } = await project.node('--conditions=react-native', ...evaluate);
  expect(stdout).toBe(everybody);
});

test('the devtools are for who says that this is development, and for nobody else', async () => {
  const script = "console.log(import.meta.resolve('@onceward/client/devtools'))";
  const resolve = async (...args: string[]) => {
    const evaluate = [...args, '--input-type=module', '--eval', script];
    return (await project.node(...evaluate)).stdout.trim();
  };
  expect(await resolve()).toMatch(/dist\/devtools\/production\.js$/);
  expect(await resolve('--conditions=browser')).toMatch(/dist\/devtools\/production\.js$/);
  expect(await resolve('--conditions=development')).toMatch(/dist\/devtools\/index\.js$/);
});

test('every entry type-checks with moduleResolution bundler', () => {
  const options = { moduleResolution: 'bundler', module: 'esnext', types: ['node'] };
  expect(typeCheck(project.folder, { 'consumer.mts': consumer(entries) }, options)).toEqual([]);
});

test('core and client type-check without Node.js', () => {
  const portable = entries.filter((entry) => /^@onceward\/(core|client)(\/|$)/.test(entry));
  const options = { moduleResolution: 'bundler', module: 'esnext', types: [] };
  expect(typeCheck(project.folder, { 'consumer.mts': consumer(portable) }, options)).toEqual([]);
});

test('with moduleResolution nodenext, too, and an application can name what it makes', () => {
  const application = `
    import { idempotencyHeaders, idempotencyKey, idempotencyLink, statusAwareFetch } from '@onceward/client/trpc';
    import { memoryStore } from '@onceward/server';
    import { callerKey, createIdempotency, idempotencyErrorFormatter, idempotencyResponseMeta, incomingKeys, type IncomingKeys } from '@onceward/server/trpc';
    import { initTRPC } from '@trpc/server';

    export const errorFormatter = idempotencyErrorFormatter();
    export const t = initTRPC.context<{ idempotency: IncomingKeys }>().create({ errorFormatter });
    export const once = createIdempotency(t, { store: memoryStore(), scope: () => 'alice' });
    export const { audit, engine, unwrap } = once;
    export const guard = once.guard({ effect: 'steps' });
    export const procedure = t.procedure.use(unwrap);
    export const router = t.router({ pay: procedure.use(guard).mutation(() => 'paid') });
    export const createContext = () => ({ idempotency: incomingKeys() });
    export const callOnServer = () => callerKey('text');
    export const responseMeta = idempotencyResponseMeta();

    export const link = idempotencyLink();
    export const headers = idempotencyHeaders();
    export const fetch = statusAwareFetch();
    export const callOptions = idempotencyKey(null);
  `;
  const files = { 'consumer.mts': consumer(entries), 'application.mts': application };
  const options = { module: 'nodenext', types: ['node'], declaration: true };
  expect(typeCheck(project.folder, files, options)).toEqual([]);
});

/** Uses what everybody uses, and mentions every entry so that its declarations are loaded. */
function consumer(imported: string[]): string {
  const imports = imported.map((entry, index) => `import type * as entry${index} from '${entry}';`);
  const names = imported.map((_, index) => `typeof entry${index}`);
  return `
    ${imports.join('\n')}
    export type Entries = [${names.join(', ')}];
    import { IdempotencyError, mintKey, parseKey, type IdempotencyKey } from '@onceward/core';

    export const key: IdempotencyKey = mintKey();
    const parsed = parseKey('text');
    export const problem = parsed.kind === 'invalid' ? parsed.problem : undefined;
    export const waitMs = (error: unknown): number | undefined =>
      IdempotencyError.is(error) ? error.retryAfterMs : undefined;
    // @ts-expect-error an unchecked string is not a key
    export const unchecked: IdempotencyKey = 'text';
  `;
}
