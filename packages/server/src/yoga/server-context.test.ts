import { expect, test } from 'vitest';
import { ServerContext } from './server-context.ts';

const noted = (parsed: unknown = {}) => {
  const context = { request: 'a request' };
  ServerContext.note(context, parsed);
  return context;
};

test('a single operation is executed on the context that was noted, each of a batch on an heir', () => {
  const context = noted();
  expect(ServerContext.cameBy(context)).toBe('request');
  expect(ServerContext.cameBy(Object.create(context) as object)).toBe('batch');
});

test('neither a copy nor the context of a socket came over HTTP', () => {
  const contexts = [{ ...noted() }, { request: 'a request' }, Object.create(null) as object];
  expect(contexts.map((context) => ServerContext.cameBy(context))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('nobody sees that it was noted, however often', () => {
  const context = Object.freeze(noted());
  ServerContext.note(context, {});
  expect(Reflect.ownKeys(context)).toEqual(['request']);
});

test('each operation of a batch knows how many there are, also when the context served another', () => {
  const context = noted([{}, {}]);
  const countOf = () => ServerContext.countOf(Object.create(context) as object);
  expect([countOf(), ServerContext.countOf(context)]).toEqual([2, 1]);
  ServerContext.note(context, [{}]);
  expect(countOf()).toBe(1);
});
