import { mintKey } from '@onceward/core';
import { expect, test } from 'vitest';
import { openYoga } from '../../test/yoga-fixture.ts';

const typeDefs = /* GraphQL */ `
  scalar File
  type Query {
    a: Int
  }
  type Mutation {
    upload(file: File!): String @idempotent(effect: EXTERNAL)
  }
`;

test('a file is the same by its bytes, whenever it was sent', async () => {
  const { send, effects } = openYoga({
    typeDefs,
    mutations: { upload: (_, { file }: { file: File }) => file.text() },
  });
  const key = mintKey();
  const first = await send(form('hello', 1), { key });
  const second = await send(form('hello', 2), { key });
  const other = await send(form('hellO', 1), { key });
  expect(first.body.data).toEqual({ upload: 'hello' });
  expect(second.body.extensions.idempotency.replayed).toBe(true);
  expect(other.status).toBe(422);
  expect(effects).toEqual(['upload']);
});

function form(content: string, lastModified: number): FormData {
  const data = new FormData();
  const query = 'mutation ($file: File!) { upload(file: $file) }';
  data.append('operations', JSON.stringify({ query, variables: { file: null } }));
  data.append('map', '{"0":["variables.file"]}');
  data.append('0', new File([content], 'a.txt', { type: 'text/plain', lastModified }));
  return data;
}
