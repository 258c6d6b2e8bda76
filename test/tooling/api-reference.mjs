// npm run docs:api: writes the reference of every entry, from the comments, to docs/api.
// With --check nothing is written: a name without a comment, or a link that leads nowhere, fails.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Application } from 'typedoc';
import { publishedPackages, root } from './packages.mjs';

const check = process.argv.includes('--check');
const packages = publishedPackages();

const app = await Application.bootstrapWithPlugins({
  name: 'onceward',
  entryPoints: packages.flatMap(({ folder }) => sourcesOf(folder)),
  tsconfig: join(root, 'tsconfig.json'),
  basePath: join(root, 'packages'),
  plugin: ['typedoc-plugin-markdown'],
  out: join(root, 'docs/api'),
  readme: 'none',
  githubPages: false,
  disableSources: true,
  excludeInternal: true,
  excludePrivate: true,
  excludeExternals: true,
  // Types are the compiler's business, and it has been here already.
  skipErrorChecking: true,
  logLevel: 'Warn',
  validation: { notExported: false, invalidLink: true, notDocumented: false },
});
const project = await app.convert();
if (!project) process.exit(1);
for (const entry of project.children ?? []) entry.name = nameOf(entry.name);
app.validate(project);
for (const name of undocumented(project)) app.logger.error(`${name} has no comment`);
if (!check) await app.generateOutputs(project);
const { errorCount, warningCount, validationWarningCount } = app.logger;
if (errorCount + warningCount + validationWarningCount > 0) process.exitCode = 1;

/**
 * The sources of what a package exports.
 *
 * @param {string} folder
 * @returns {string[]}
 */
function sourcesOf(folder) {
  /** @type {{ exports: Record<string, string | { '@onceward/source'?: string | { development: string } }> }} */
  const { exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  return Object.values(exports).flatMap((target) => {
    const source = typeof target === 'string' ? undefined : target['@onceward/source'];
    if (source === undefined) return [];
    // What there is in development alone is what is worth describing.
    return [join(root, folder, typeof source === 'string' ? source : source.development)];
  });
}

/**
 * What is imported, rather than where it comes from.
 *
 * @param {string} source such as `client/src/apollo`
 */
function nameOf(source) {
  return source.replace(/^([\w-]+)\/src(?=\/|$)/, '@onceward/$1');
}

/**
 * What is exported without a sentence for a stranger. Of members, only what needs one has one.
 *
 * @param {import('typedoc').ProjectReflection} project
 * @returns {string[]}
 */
function undocumented(project) {
  return (project.children ?? [])
    .flatMap((entry) => entry.children ?? [])
    .filter((exported) => !exported.isReference())
    .filter(({ comment, signatures = [] }) =>
      [comment, ...signatures.map((signature) => signature.comment)].every((found) => !found),
    )
    .map((exported) => exported.getFullName());
}
