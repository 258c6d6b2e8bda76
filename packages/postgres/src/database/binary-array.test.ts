import { afterAll, expect, test } from 'vitest';
import { openPool } from '../../test/open-schema.ts';
import { binaryArray, type ElementType } from './binary-array.ts';

const pool = openPool({ max: 1 });
afterAll(() => pool.end());

const uuid = '0197a3b1-0c2d-7f3e-8c4d-0c0c07398f12';

test.each<[ElementType, readonly unknown[], string]>([
  ['bool', [true, false, null], '{t,f,NULL}'],
  ['bytea', [new Uint8Array([0, 255]), new Uint8Array(), null], '{"\\\\x00ff","\\\\x",NULL}'],
  ['int2', [1, -2, 32_767], '{1,-2,32767}'],
  ['text', ['pay', 'Zoë "€" \\ 💶', '', null], '{pay,"Zoë \\"€\\" \\\\ 💶","",NULL}'],
  ['float8', [1.5, Infinity, 1_794_903_697_545, null], '{1.5,Infinity,1794903697545,NULL}'],
  ['uuid', [uuid, uuid.replaceAll('-', ''), null], `{${uuid},${uuid},NULL}`],
  ['uuid', [], '{}'],
])('PostgreSQL reads an array of %s as it was meant', async (type, values, text) => {
  const { rows } = await pool.query(`select $1::${type}[]::text as read`, [
    binaryArray(type, values),
  ]);
  expect(rows).toEqual([{ read: text }]);
});

test.each([1.5, 70_000, NaN])('what is no int2 is refused, not cut off: %d', (value) => {
  expect(() => binaryArray('int2', [value])).toThrow(RangeError);
});
