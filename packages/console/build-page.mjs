// Builds the page into one module of texts, so that the package can be bundled and reads no file.
//
//   node packages/console/build-page.mjs    writes dist/page-files.mjs, for the package
//   pageFiles()                             the same for whoever runs the sources, without a file
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, defaultClientConditions } from 'vite';

const here = import.meta.dirname;

/** @returns {Promise<string>} the text of the module */
async function buildPage() {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    root: join(here, 'page'),
    // Wherever it is mounted.
    base: './',
    resolve: { conditions: ['@onceward/source', ...defaultClientConditions] },
    // Whoever builds it, a test runner included: the page is the one that is published.
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { runtime: 'automatic', development: false } },
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      assetsInlineLimit: 0,
      // How long it takes is nobody's concern here.
      rolldownOptions: { checks: { bundlerTimings: false } },
    },
  });
  if (!('output' in built)) throw new Error('Vite built something else than one bundle');
  const files = Object.fromEntries(
    built.output.map((file) => [
      file.fileName,
      file.type === 'chunk' ? file.code : Buffer.from(file.source).toString('utf8'),
    ]),
  );
  return `export default ${JSON.stringify(files, null, 1)};\n`;
}

/**
 * Answers `#page-files` with the page as its sources are now.
 *
 * @returns {import('vite').Plugin}
 */
export function pageFiles() {
  /** @type {Promise<string> | undefined} */
  let page;
  return {
    name: 'onceward:page-files',
    enforce: 'pre',
    resolveId: (id) => (id === '#page-files' ? '\0onceward:page-files' : undefined),
    load: (id) => (id === '\0onceward:page-files' ? (page ??= buildPage()) : undefined),
  };
}

if (process.argv[1] === import.meta.filename) {
  mkdirSync(join(here, 'dist'), { recursive: true });
  writeFileSync(join(here, 'dist/page-files.mjs'), await buildPage());
}
