import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { openPool } from '../test/open-schema.ts';
import { migrate } from './migrate.ts';
import { postgresStore } from './postgres-store.ts';
import { quotedSchema } from './schema.ts';

describe('the option `schema`', () => {
  test.each([
    'x"; drop schema public cascade; --',
    "x'; select 1",
    'Capital',
    '1st',
    '',
    'with space',
    'naïve',
    'a\n',
    'x'.repeat(49),
  ])('%j is refused at construction, by name and without repeating it', async (schema) => {
    await using pool = openPool({ max: 1 });
    const refusal = /^Expected `schema` to be 1 to 48 lower-case letters, digits and underscores/;
    expect(() => postgresStore(pool, { schema })).toThrow(TypeError);
    expect(() => postgresStore(pool, { schema })).toThrow(refusal);
    await expect(migrate(pool, { schema })).rejects.toThrow(refusal);
  });

  test('plain names are quoted', () => {
    expect(quotedSchema({})).toBe('"onceward"');
    expect(quotedSchema({ schema: 'user' })).toBe('"user"');
    expect(quotedSchema({ schema: 'x'.repeat(48) })).toBe(`"${'x'.repeat(48)}"`);
  });
});

test('what has the shape of no driver is refused at construction', () => {
  for (const noDriver of [{ query: () => undefined }, undefined, null, 'postgres://localhost']) {
    const open = () => postgresStore(noDriver as unknown as pg.Pool);
    expect(open).toThrow(/^Expected `driver` to be a Pool/);
  }
});
