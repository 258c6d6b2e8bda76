import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  addCompleted,
  addJob,
  addUnknown,
  browse,
  grace,
  type OpenConsole,
  openConsole,
  site,
} from '../../test/open-console.ts';
import { createConsole } from '../create-console.ts';
import type { Authorize } from './operator.ts';

// Tests that break nothing share their tables.
let opened: OpenConsole;
beforeAll(async () => void (opened = await openConsole()));
beforeEach(() => void (opened.audit.length = 0));
afterAll(() => opened?.[Symbol.asyncDispose]());

test('there is no console without authorize', async () => {
  for (const authorize of [undefined, null, true, {}]) {
    expect(() => opened.handler({ authorize: authorize as never })).toThrow(TypeError);
    expect(() => opened.handler({ authorize: authorize as never })).toThrow('`authorize`');
  }
});

test.for<[string, object]>([
  ['`postgres` or `store`', { postgres: undefined }],
  ['`secret`', { secret: 'short' }],
  ['`origin`', { origin: 'https://admin.example.com/console' }],
  ['`basePath`', { basePath: 'console' }],
  ['`quietMs`', { quietMs: -1 }],
  ['`audit`', { audit: 'yes' }],
  ['`schema`', { schema: 'a; drop' }],
])('an option that makes no sense is named: %s', async ([name, options]) => {
  expect(() => opened.handler(options)).toThrow(name);
});

const refusing: [string, Authorize][] = [
  ['null', () => null],
  ['nothing', () => undefined as never],
  ['true', () => true as never],
  ['a name that is none', () => ({ name: ' ' })],
  ['an error that was caught', () => new Error('the session store is down: secret')],
  ['a function that nobody called', () => function operatorOf() {}],
  ['a right that there is not', () => ({ name: 'eve', may: ['everything' as never] })],
  [
    'an error',
    () => {
      throw new Error('the session store is down: secret');
    },
  ],
  ['a rejection', () => Promise.reject(new Error('secret'))],
];

test.for(refusing)(
  '%s from authorize is 401 for all there is, and nothing else',
  async ([, authorize]) => {
    const handler = opened.handler({ authorize });
    await addUnknown(opened);
    const bodies = new Set<string>();
    for (const path of ['', '/', '/assets/x.js', '/api/session', '/api/unknown', '/api/nowhere']) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const response = await handler(new Request(`${site}/console${path}`, { method }));
        expect(response.status).toBe(401);
        bodies.add(await response.text());
      }
    }
    expect([...bodies]).toEqual(['Not signed in as an operator\n']);
  },
);

test('what authorize answers itself is sent, such as a redirect to a sign-in', async () => {
  const handler = opened.handler({ authorize: () => Response.redirect(`${site}/login`) });
  const response = await handler(new Request(`${site}/console/`));
  expect([response.status, response.headers.get('location')]).toEqual([302, `${site}/login`]);
});

test('an operator may read by default, and no more', async () => {
  const { key } = await addUnknown(opened);
  const jobId = await addJob(opened);
  const reader = opened.console({ authorize: () => ({ name: 'rita' }), showPayloads: true });
  const { json: found } = await reader.post('/console/api/search', { key });
  const { recordId } = found.records[0];
  expect((await reader.post('/console/api/record', { recordId })).status).toBe(200);
  const decide = { as: 'executed', attempt: 1, evidence: 'ch_7', reason: 'because' };
  for (const name of ['settle', 'answer', 'payload', 'retry-job', 'discard-job']) {
    const answer = await reader.post(`/console/api/${name}`, { recordId, jobId, ...decide });
    expect([name, answer.status, answer.json]).toEqual([name, 403, { error: 'forbidden' }]);
  }
  const nobody = opened.console({ authorize: () => ({ name: 'nora', may: ['settle'] }) });
  expect((await nobody.get('/console/')).status).toBe(403);
  expect(opened.audit).toEqual([]);
});

const forged: [string, Record<string, string | null>, string][] = [
  ['another origin', { origin: 'https://evil.example' }, 'not-same-origin'],
  ['another port', { origin: `${site}:8443` }, 'not-same-origin'],
  ['an origin that is hidden', { origin: 'null' }, 'not-same-origin'],
  ['another site', { 'sec-fetch-site': 'cross-site' }, 'not-same-origin'],
  ['another host of the site', { 'sec-fetch-site': 'same-site' }, 'not-same-origin'],
  ['nowhere', { origin: null, 'sec-fetch-site': null }, 'not-same-origin'],
  ['no token', { 'x-onceward-token': null }, 'token-refused'],
  ['another token', { 'x-onceward-token': `9999999999999.${'A'.repeat(43)}` }, 'token-refused'],
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'not-json'],
  ['a plain text', { 'content-type': 'text/plain' }, 'not-json'],
];

test.for(forged)('a POST from %s changes nothing', async ([, changes, error]) => {
  const request = await addUnknown(opened);
  const console = opened.console();
  const { json } = await console.post('/console/api/search', { key: request.key });
  const { recordId } = json.records[0];
  const body = { recordId, as: 'executed', attempt: 1, evidence: 'ch_7' };
  expect((await console.post('/console/api/settle', body, changes)).json).toEqual({ error });
  expect(await opened.store.find(request)).toMatchObject({ state: 'unknown' });
  expect(opened.audit).toEqual([]);
  expect((await console.post('/console/api/settle', body)).json.result).toBe('settled');
});

test('a token is of one operator, one session and one hour', async () => {
  let [now, operator] = [Date.now(), { ...grace, session: 'one' }];
  const secret = 'a secret of at least 32 characters';
  const console = opened.console({ authorize: () => operator, now: () => now, secret });
  const search = (token: string) =>
    console.post('/console/api/search', { key: 'x'.repeat(16) }, { 'x-onceward-token': token });
  const { token } = (await console.get('/console/api/session')).json;
  expect((await search(token)).status).toBe(200);
  operator = { ...grace, session: 'two' };
  expect((await search(token)).status).toBe(403);
  operator = { ...grace, name: 'eve', session: 'one' };
  expect((await search(token)).status).toBe(403);
  operator = { ...grace, session: 'one' };
  expect((await search(token)).status).toBe(200);
  now += 60 * 60_000;
  expect((await search(token)).status).toBe(403);
  // Of another process with the same secret it is as good.
  const { token: fresh } = (await console.get('/console/api/session')).json;
  const other = opened.console({ authorize: () => operator, now: () => now, secret });
  const key = { key: 'x'.repeat(16) };
  const headers = { 'x-onceward-token': fresh as string };
  expect((await other.post('/console/api/search', key, headers)).status).toBe(200);
});

test('a configured origin is the only one', async () => {
  const console = opened.console({ origin: 'https://ops.example.com' });
  const search = (origin: string) =>
    console.post('/console/api/search', { key: 'x'.repeat(16) }, { origin });
  expect((await search(site)).json).toEqual({ error: 'not-same-origin' });
  expect((await search('https://ops.example.com')).status).toBe(200);
});

test('nothing but a POST does anything', async () => {
  const handler = opened.handler();
  const names = ['settle', 'answer', 'payload', 'retry-job', 'discard-job', 'search', 'record'];
  for (const name of names) {
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
      const headers = { origin: site, 'sec-fetch-site': 'same-origin' };
      const url = `${site}/console/api/${name}?recordId=1&as=executed&evidence=x&attempt=1`;
      const response = await handler(new Request(url, { method, headers }));
      expect([name, method, response.status]).toEqual([name, method, 405]);
    }
  }
});

test('every answer keeps a browser from being used against the operator', async () => {
  const [open, closed] = [opened.handler(), opened.handler({ authorize: () => null })];
  for (const handler of [open, closed]) {
    for (const path of ['', '/', '/nowhere', '/api/session', '/api/nowhere']) {
      const { headers } = await handler(new Request(`${site}/console${path}`));
      const policy = headers.get('content-security-policy');
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  }
});

test('a body that is no object, or too large, is refused', async () => {
  const console = opened.console();
  expect(await console.post('/console/api/search', ['key'])).toMatchObject({ status: 400 });
  const large = await console.post('/console/api/search', { key: 'x'.repeat(300_000) });
  expect([large.status, large.json]).toEqual([413, { error: 'too-large' }]);
});

test('what went wrong is told to who runs the server, and not to the page', async () => {
  await using opened = await openConsole();
  const console = opened.console();
  await opened.pool.query(`drop table "${opened.schema}".lookups`);
  const { status, json } = await console.get('/console/api/unknown');
  expect([status, json]).toEqual([500, { error: 'store-failed' }]);
  expect(opened.errors).toMatchObject([{ code: '42P01' }]);
});

test('why authorize failed is told to who runs the server', async () => {
  const errors: unknown[] = [];
  const down = new Error('the session store is down');
  const console = opened.console({
    authorize: () => Promise.reject(down),
    onError: (error) => void errors.push(error),
  });
  expect((await console.get('/console/')).status).toBe(401);
  expect(errors).toEqual([down]);
});

test('whoever hears of errors may fail, and the answer is the same', async () => {
  const fail = () => {
    throw new Error('nobody listens');
  };
  for (const onError of [fail, async () => fail()] as (() => unknown)[]) {
    const console = opened.console({ authorize: fail, onError });
    expect((await console.get('/console/')).status).toBe(401);
  }
});

test('a statement that takes too long is given up', async () => {
  await using opened = await openConsole();
  const console = opened.console({ statementTimeoutMs: 50 });
  const client = await opened.pool.connect();
  try {
    await client.query('begin');
    await client.query(`lock table "${opened.schema}".lookups in access exclusive mode`);
    const { status, json } = await console.get('/console/api/unknown');
    expect([status, json]).toEqual([503, { error: 'too-slow' }]);
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('addresses outside of its path are not its own', async () => {
  await addCompleted(opened, '{}');
  const handler = opened.handler({ basePath: '/admin/once/' });
  const status = async (path: string) => (await handler(new Request(`${site}${path}`))).status;
  expect(await status('/admin/once')).toBe(308);
  expect(await status('/admin/once/api/session')).toBe(200);
  for (const path of ['/console/', '/', '/admin/oncex/', '/admin/once/__proto__']) {
    expect([path, await status(path)]).toEqual([path, 404]);
  }
  const root = browse(
    createConsole({
      store: opened.store,
      audit: () => undefined,
      authorize: () => grace,
      basePath: '/',
    }),
  );
  expect((await root.get('/api/session')).status).toBe(200);
});
