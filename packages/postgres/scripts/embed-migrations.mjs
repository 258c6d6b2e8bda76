// Writes src/migrations.ts from migrations/*.sql:  npm run embed -w @onceward/postgres
//
// The package reads no file at run time, so that it can be bundled.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const folder = new URL('../migrations/', import.meta.url);

writeFileSync(new URL('../src/migrations.ts', import.meta.url), embedded());

function embedded() {
  const migrations = readdirSync(folder)
    .sort()
    .map((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8');
      const statements = text.trim().split(/\n\n+/);
      const literals = statements.map((sql) => `      \`${sql.replace(/[\\`]|\$\{/g, '\\$&')}\`,`);
      return `  {
    version: ${Number.parseInt(file, 10)},
    name: '${file.replace(/\.sql$/, '')}',
    statements: [
${literals.join('\n')}
    ],
  },`;
    });
  return `// Made from migrations/*.sql by scripts/embed-migrations.mjs. Do not edit.

export interface Migration {
  readonly version: number;
  readonly name: string;
  /** Each is sent on its own. \`:SCHEMA\` stands for the quoted name of the schema. */
  readonly statements: readonly string[];
}

export const migrations: readonly Migration[] = [
${migrations.join('\n')}
];
`;
}
