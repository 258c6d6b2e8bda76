import { expect, test } from 'vitest';
import { ServerContext } from './server-context.ts';

const noted = () => {
  const context = { request: 'a request' };
  ServerContext.note(context);
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
  ServerContext.note(context);
  expect(Reflect.ownKeys(context)).toEqual(['request']);
});

test('the operations of a batch are counted when they begin', () => {
  const context = noted();
  const batch = [1, 2].map(() => Object.create(context) as object);
  batch.forEach((operation) => ServerContext.begin(operation));
  expect(batch.map((operation) => ServerContext.countOf(operation))).toEqual([2, 2]);
  ServerContext.begin(context);
  expect(ServerContext.countOf(context)).toBe(1);
});
