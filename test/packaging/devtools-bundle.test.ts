import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, type Rolldown } from 'vite';
import { describe, expect, test, vi } from 'vitest';
import { bundleForReactNative } from '../engines/bundle-for-react-native.ts';
import { mutantPlugin } from '../mutants/runner/plugin.mjs';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { root } from '../tooling/packages.mjs';

vi.setConfig({ testTimeout: 60_000 });

/** Words that only the panel has. */
const ofThePanel = /onceward-devtools|Drop the network|Retry all now|attachShadow/;

describe('vite build, as an application runs it', () => {
  test.for([
    ['for production', [], {}],
    ['for another place than development', ['--mode', 'staging'], {}],
  ] as const)('%s, leaves nothing of the devtools', async ([, args, environment]) => {
    const code = await viteBuild(args, environment);
    expect(code).toContain('amountCents');
    expect(code).not.toMatch(ofThePanel);
  });

  test('for development, has them', async () => {
    const code = await viteBuild(['--mode', 'development'], { NODE_ENV: 'development' });
    expect(code).toMatch(ofThePanel);
  });
});

describe('a bundler that is told nothing', () => {
  test('leaves nothing, not even the call', async () => {
    expect(await bundle([])).toBe('');
  });

  test('and one that is told the condition has them', async () => {
    expect(await bundle(['development'])).toMatch(ofThePanel);
  });
});

test('Metro, which has no page to show a panel in, leaves nothing of them', async () => {
  const code = await bundleForReactNative({ entry: 'devtools-app.ts' });
  expect(code).toContain('mountDevtools');
  expect(code).not.toMatch(ofThePanel);
});

/** The scripts of `examples/offline-first`, which mounts the devtools without a condition of its own. */
async function viteBuild(args: readonly string[], environment: object): Promise<string> {
  using place = temporaryFolder('devtools-bundle');
  const { NODE_ENV, ...rest } = process.env;
  void NODE_ENV;
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const output = ['--outDir', place.folder, '--emptyOutDir', '--logLevel', 'warn'];
  await promisify(execFile)(process.execPath, [vite, 'build', ...output, ...args], {
    cwd: join(root, 'examples/offline-first'),
    env: { ...rest, ...environment },
  });
  const assets = join(place.folder, 'assets');
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
  return scripts.map((name) => readFileSync(join(assets, name), 'utf8')).join('\n');
}

/** What an application that does nothing but mount them becomes, minified. */
async function bundle(conditions: readonly string[]): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [mutantPlugin(process.env)],
    resolve: { conditions: ['@onceward/source', ...conditions] },
    build: {
      write: false,
      minify: true,
      modulePreload: false,
      rolldownOptions: { input: join(root, 'test/engines/devtools-app.ts') },
    },
  });
  const [output] = (Array.isArray(built) ? built : [built]) as Rolldown.RolldownOutput[];
  return output?.output[0].code ?? '';
}
