import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Arena, openArenas } from './arena.ts';
import { checkNames } from './check-names.ts';
import { checks } from './checks.ts';
import { compare } from './compare.ts';
import { kit } from './contenders/index.ts';

let arenas: Awaited<ReturnType<typeof openArenas>>;
beforeAll(async () => {
  arenas = await openArenas();
});
afterAll(() => arenas[Symbol.dispose]());

describe.each(kit)('$name', (contender) => {
  let arena: Arena;
  beforeAll(async () => {
    arena = await arenas.open(contender);
  });
  afterAll(() => arena[Symbol.asyncDispose]());

  test.each(checks)('$name: $demand', async (check) => {
    expect(await compare(check, contender, arena)).toMatchObject({ kind: 'holds' });
  });
});

test('the table has every check once, in order', () => {
  expect(checks.map(({ name }) => name)).toEqual(checkNames);
});
