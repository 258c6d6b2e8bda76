import { createTRPCUntypedClient } from '@trpc/client';
import { initTRPC } from '@trpc/server';
import { expect, test } from 'vitest';

test('the tests of tRPC run on the version their project is named after', async ({ task }) => {
  const { cause } = await createTRPCUntypedClient({ links: [] })
    .query('without a link')
    .then(() => ({}) as Error)
    .catch((error: Error) => error);
  expect(madeIn(cause)).toBe(task.file.projectName);
  expect(madeIn(errorOf(() => initTRPC.create().router({ then: {} })))).toBe(task.file.projectName);
});

function errorOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

/** Where the code is that threw an error. */
function madeIn(error: unknown): string {
  const { stack = '' } = error as Error;
  expect(stack).toContain('/node_modules/@trpc/');
  return stack.includes('/trpc-floor/node_modules/@trpc/') ? 'trpc-floor' : 'all';
}
