import { expect, test } from 'vitest';
import { isObjection, sqlStateOf } from './sql-state.ts';

const withCode = (code: string) => Object.assign(new Error('said'), { code });

test.each([
  ['pg, postgres.js, PGlite, Kysely, Knex', withCode('23505'), '23505'],
  ['Drizzle', new Error('Failed query', { cause: withCode('25P02') }), '25P02'],
  ['Prisma, over an adapter', { code: 'P2010', meta: adapted('40001') }, '40001'],
  ['Prisma, of a COMMIT', { cause: { originalCode: '23505' } }, '23505'],
  ['Prisma, before adapters', { code: 'P2010', meta: { code: '57014' } }, '57014'],
  ['Node.js', withCode('ECONNRESET'), undefined],
  ['Node.js, in five letters', withCode('EPIPE'), undefined],
  ['Prisma itself', withCode('P2028'), undefined],
  ['postgres.js itself', withCode('CONNECTION_CLOSED'), undefined],
  ['nobody', undefined, undefined],
])('the SQLSTATE of an error of %s is found', (_, error, state) => {
  expect(sqlStateOf(error)).toBe(state);
});

test('an objection is about the statement, not about the server', () => {
  expect(['23505', '22012', 'P0001'].map(withCode).every(isObjection)).toBe(true);
  expect(['40001', '57P01', '08006', '53300', 'XX000'].map(withCode).some(isObjection)).toBe(false);
  expect(isObjection(withCode('EPIPE'))).toBe(false);
});

function adapted(originalCode: string) {
  return { driverAdapterError: { cause: { originalCode } } };
}
