import { newRequest } from '@onceward/conformance/requests';
import { createConsole, type Operator } from '@onceward/console';
import { memoryStore } from '@onceward/server';
import { expect, test } from 'vitest';

const site = 'https://admin.example.com';
const grace: Operator = { name: 'grace', may: ['read', 'settle'] };

async function openBank(authorize: () => Operator | null) {
  const store = memoryStore();
  const request = newRequest();
  await store.reserve(request);
  await store.doubt(request);
  const handler = createConsole({ store, authorize, audit: () => undefined });
  const settle = async (headers: Record<string, string>) => {
    const body = {
      key: request.key,
      scope: request.scope,
      as: 'executed',
      attempt: 1,
      evidence: 'x',
    };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await handler(new Request(`${site}/console/api/settle`, init))).status;
  };
  return { handler, settle, state: async () => (await store.find(request))?.state };
}

test('S23: there is no console without authorize', () => {
  const options = { store: memoryStore(), audit: () => undefined };
  expect(() => createConsole(options as never)).toThrow('`authorize`');
});

test('S23: whoever is no operator gets 401 for everything, and changes nothing', async () => {
  const { handler, settle, state } = await openBank(() => null);
  for (const path of ['/', '/assets/index.js', '/api/session', '/api/overview']) {
    const response = await handler(new Request(`${site}/console${path}`));
    expect([path, response.status]).toEqual([path, 401]);
    expect(await response.text()).toBe('Not signed in as an operator\n');
  }
  expect(await settle({ origin: site, 'content-type': 'application/json' })).toBe(401);
  expect(await state()).toBe('unknown');
});

test('S23: another site cannot make the browser of an operator settle anything', async () => {
  const { handler, settle, state } = await openBank(() => grace);
  const session = await handler(new Request(`${site}/console/api/session`));
  const { token } = (await session.json()) as { token: string };
  const good = {
    ...{ origin: site, 'sec-fetch-site': 'same-origin' },
    ...{ 'content-type': 'application/json', 'x-onceward-token': token },
  };
  expect(await settle({ ...good, origin: 'https://evil.example' })).toBe(403);
  expect(await settle({ ...good, 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await settle({ ...good, 'x-onceward-token': '' })).toBe(403);
  expect(await settle({ ...good, 'content-type': 'text/plain' })).toBe(415);
  expect(await state()).toBe('unknown');
  expect(await settle(good)).toBe(200);
  expect(await state()).toBe('completed');
});

test('S23: a page that was let in runs no script but its own, in no frame', async () => {
  const { handler } = await openBank(() => grace);
  const { headers } = await handler(new Request(`${site}/console/api/session`));
  const policy = headers.get('content-security-policy');
  expect(policy).toMatch(/default-src 'none'; script-src 'self'; .*frame-ancestors 'none'/);
  expect(policy).not.toContain('unsafe');
});
