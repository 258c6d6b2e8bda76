// Bundles the playground: Node.js 20 runs no TypeScript, and a browser no imports by name.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, defaultClientConditions, defaultServerConditions } from 'vite';
import { pageFiles } from '../../packages/console/build-page.mjs';
import { keepBundle, removeOldBundles } from './bundles.mjs';

const here = import.meta.dirname;

/**
 * Bundles everything into a folder that is named after what is in it, so that any number of
 * playgrounds can start from one clone at a time.
 *
 * @returns {Promise<string>} the folder
 */
export async function bundle() {
  const files = [...(await bundlePrograms()), ...(await bundlePage())];
  const hash = createHash('sha256');
  for (const { path, content } of files) hash.update(path).update('\0').update(content);
  const folder = join(here, 'dist', hash.digest('hex').slice(0, 16));
  if (!existsSync(folder)) writeAll(folder, files);
  keepBundle(folder);
  removeOldBundles(dirname(folder));
  return folder;
}

/** With all that npm installed: one file loads in half the time, which every crash waits for. */
function bundlePrograms() {
  return filesOf({
    plugins: [pageFiles()],
    ssr: {
      noExternal: true,
      resolve: { conditions: ['@onceward/source', ...defaultServerConditions] },
    },
    build: {
      ssr: true,
      target: 'node20',
      sourcemap: true,
      rolldownOptions: {
        input: ['supervisor', 'database-process', 'server-process'].map((name) =>
          join(here, 'src', `${name}.ts`),
        ),
      },
    },
  });
}

async function bundlePage() {
  const files = await filesOf({
    root: join(here, 'page'),
    resolve: { conditions: ['@onceward/source', ...defaultClientConditions] },
    build: {
      target: 'es2022',
      rolldownOptions: {
        input: ['index', 'graphql'].map((name) => join(here, 'page', `${name}.html`)),
      },
    },
  });
  return files.map(({ path, content }) => ({ path: join('page', path), content }));
}

/** @param {import('vite').InlineConfig} config */
async function filesOf(config) {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    ...config,
    build: { ...config.build, write: false },
  });
  if (!('output' in built)) throw new Error('Vite built something else than one bundle');
  return built.output.map((file) => ({
    path: file.fileName,
    content: file.type === 'chunk' ? file.code : file.source,
  }));
}

/**
 * Writes beside its place and moves there, so that nobody runs half a bundle.
 *
 * @param {string} folder
 * @param {{ path: string, content: string | Uint8Array }[]} files
 */
function writeAll(folder, files) {
  const staging = `${folder}-${randomUUID()}`;
  for (const { path, content } of files) {
    mkdirSync(dirname(join(staging, path)), { recursive: true });
    writeFileSync(join(staging, path), content);
  }
  try {
    renameSync(staging, folder);
  } catch {
    // Somebody else was faster.
    rmSync(staging, { recursive: true, force: true });
  }
}
