import { newRequest, opaqueRequest } from '@onceward/conformance/requests';
import { createEngine, memoryStore } from '@onceward/server';
import { expect, test } from 'vitest';
import {
  addCompleted,
  addJob,
  addUnknown,
  browse,
  grace,
  openConsole,
} from '../test/open-console.ts';
import type { AuditedAction } from './audited.ts';
import { createConsole } from './create-console.ts';

const found = { as: 'executed', attempt: 1, evidence: '{"charge":"ch_7"}' };

test('the overview counts keys over time, and lists what is stuck and what was slow', async () => {
  await using opened = await openConsole();
  await addCompleted(opened, '{"paid":true}');
  await addUnknown(opened);
  await opened.store.reserve(newRequest({ leaseMs: 1 }));
  const { json } = await opened.console().get('/console/api/overview?span=6h');
  expect(json.activity).toMatchObject({ keys: 3 });
  expect(json.activity.buckets.at(-1)).toMatchObject({ succeeded: 1, unknown: 1 });
  expect(json.unknown).toMatchObject([{ state: 'waiting', count: 1 }]);
  expect(json.inProgress).toMatchObject([{ state: 'in-progress', scope: 'alice' }]);
  expect(json.slowest).toMatchObject([{ state: 'completed', outcome: 'success' }]);
  expect((await opened.console().get('/console/api/overview?span=1y')).status).toBe(400);
});

test('an overview is shared for two seconds, also by a clock that is set back', async () => {
  await using opened = await openConsole();
  let now = Date.now();
  const console = opened.console({ now: () => now });
  const keys = async () => (await console.get('/console/api/overview')).json.activity.keys;
  expect(await keys()).toBe(0);
  await addUnknown(opened);
  now += 1_999;
  expect(await keys()).toBe(0);
  now += 1;
  expect(await keys()).toBe(1);
  await addUnknown(opened);
  now -= 60 * 60_000;
  expect(await keys()).toBe(2);
});

test('lists hold no key, no answer and no payload', async () => {
  await using opened = await openConsole();
  const secrets = [
    (await addCompleted(opened, 'secret answer')).key,
    (await addUnknown(opened)).key,
    'secret',
  ];
  await addJob(opened);
  const console = opened.console({ showPayloads: true });
  for (const name of ['overview', 'unknown', 'jobs', 'trail']) {
    const { status, json } = await console.get(`/console/api/${name}`);
    expect([name, status]).toEqual([name, 200]);
    for (const secret of secrets) expect(JSON.stringify(json)).not.toContain(secret);
  }
});

test('a key is found in every scope, in one, or by the id of its record', async () => {
  await using opened = await openConsole();
  const request = await addUnknown(opened, { scope: 'alice' });
  await addUnknown(opened, { ...request, scope: 'bob' });
  const opaque = opaqueRequest();
  await opened.store.reserve(opaque);
  const console = opened.console();
  const search = async (body: object) =>
    (await console.post('/console/api/search', body)).json.records?.map(
      (record: { scope: string; keyHint: string }) => record.scope,
    );
  expect(await search({ key: request.key })).toEqual(['alice', 'bob']);
  expect(await search({ key: request.key.toUpperCase(), scope: 'bob' })).toEqual(['bob']);
  expect(await search({ key: opaque.key })).toEqual(['alice']);
  expect(await search({ key: request.key, scope: 'eve' })).toEqual([]);
  const { json } = await console.post('/console/api/search', { key: request.key });
  expect(json.records[0]).not.toHaveProperty('key');
  expect(await search({ key: json.records[1].recordId })).toEqual(['bob']);
  const bad = await console.post('/console/api/search', { key: 'short' });
  expect([bad.status, bad.json]).toEqual([400, { error: 'bad-request', field: 'key' }]);
});

test('an unknown outcome is settled with evidence, which is in its history', async () => {
  await using opened = await openConsole();
  const request = await addUnknown(opened);
  const console = opened.console();
  const { json } = await console.get('/console/api/unknown');
  const { recordId, keyHint } = json.lookups[0];
  const settle = (body: object) => console.post('/console/api/settle', { recordId, ...body });
  for (const evidence of [undefined, '', '  ', '{"charge":', 7, 'x'.repeat(10_001), 'a\0b']) {
    const refused = await settle({ ...found, evidence });
    expect([refused.status, refused.json.field]).toEqual([400, 'evidence']);
  }
  expect((await settle({ ...found, as: 'perhaps' })).json.field).toBe('as');
  expect((await settle({ ...found, attempt: undefined })).json.field).toBe('attempt');
  expect((await settle({ ...found, value: '{' })).json.field).toBe('value');
  expect((await settle({ ...found, attempt: 2 })).json.result).toBe('not-unknown');
  expect((await settle({ ...found, as: 'not-executed' })).json.result).toBe('too-soon');
  expect(await opened.store.find(request)).toMatchObject({ state: 'unknown' });

  opened.audit.length = 0;
  expect((await settle(found)).json).toEqual({ result: 'settled', audited: true });
  const { json: page } = await console.post('/console/api/record', { recordId });
  expect(page).toMatchObject({
    key: request.key,
    record: { state: 'completed', outcome: 'settled' },
    trail: [{ actor: 'grace', action: 'settle: executed', evidence: found.evidence }],
  });
  const about = {
    ...{ operator: 'grace', action: 'settle', recordId, keyHint },
    ...{ scope: 'alice', operation: 'pay', evidence: found.evidence },
  };
  expect(opened.audit).toEqual([
    { at: expect.any(Number) as number, ...about, result: 'asked' },
    { at: expect.any(Number) as number, ...about, result: 'settled' },
  ]);
  expect((await settle(found)).json.result).toBe('not-unknown');
});

test('what did not happen is freed, after the quiet time', async () => {
  await using opened = await openConsole();
  const request = await addUnknown(opened);
  const console = opened.console({ quietMs: 1 });
  const { recordId } = (await console.get('/console/api/unknown')).json.lookups[0];
  const body = { recordId, as: 'not-executed', attempt: 1, evidence: 'no charge there' };
  expect((await console.post('/console/api/settle', body)).json.result).toBe('settled');
  expect(await opened.store.find(request)).toMatchObject({ state: 'released' });
});

test('the answer that an operator knows is replayed', async () => {
  await using opened = await openConsole();
  const mutation = createEngine({ store: opened.store }).mutation({
    operation: 'pay',
    effect: 'external',
  });
  const intent = { scope: 'alice', key: newRequest().key, input: { cents: 7 } };
  const dies = () => mutation.runOnce(intent, () => Promise.reject(new Error('cut')));
  await expect(dies()).rejects.toThrow();
  const console = opened.console();
  const { recordId } = (await console.get('/console/api/unknown')).json.lookups[0];
  const body = { recordId, ...found, value: '{"receipt":7}' };
  expect((await console.post('/console/api/settle', body)).json.result).toBe('settled');
  const replay = await mutation.runOnce<unknown>(intent, () => 'executed again');
  expect(replay).toMatchObject({ value: { receipt: 7 }, replayed: true });
});

test('payloads are hidden unless the console shows them, and the operator may see them', async () => {
  await using opened = await openConsole();
  const { key } = await addCompleted(opened, '{"iban":"DE00"}');
  const jobId = await addJob(opened);
  const closed = opened.console();
  const { recordId } = (await closed.post('/console/api/search', { key })).json.records[0];
  expect((await closed.get('/console/api/session')).json.showPayloads).toBe(false);
  for (const name of ['answer', 'payload']) {
    const refused = await closed.post(`/console/api/${name}`, { recordId, jobId });
    expect([refused.status, refused.json]).toEqual([403, { error: 'forbidden' }]);
  }
  expect(opened.audit).toEqual([]);

  const open = opened.console({ showPayloads: true });
  const answer = await open.post('/console/api/answer', { recordId });
  expect(answer.json).toEqual({ text: '{"iban":"DE00"}', note: 'plain' });
  const payload = await open.post('/console/api/payload', { jobId });
  expect(payload.json).toMatchObject({ text: '"secret payload"' });
  const { json: trail } = await open.get('/console/api/trail');
  expect(trail.entries).toMatchObject([
    { actor: 'grace', action: 'view payload', jobId, recordId: null },
    { actor: 'grace', action: 'view answer', recordId, jobId: null },
  ]);
  expect(opened.audit.map(({ action, result }) => [action, result])).toEqual([
    ['view answer', 'asked'],
    ['view answer', 'shown'],
    ['view payload', 'asked'],
    ['view payload', 'shown'],
  ]);
});

test('dead jobs are retried and discarded for a reason', async () => {
  await using opened = await openConsole();
  const [first, second] = [await addJob(opened), await addJob(opened, { task: 'mail' })];
  const console = opened.console();
  const { json } = await console.get('/console/api/jobs?state=dead');
  expect(json.jobs).toMatchObject([
    { id: second, task: 'mail', lastError: 'the printer is on fire' },
    { id: first, task: 'ship' },
  ]);
  expect(json.counts).toMatchObject([
    { task: 'mail', jobs: 1 },
    { task: 'ship', jobs: 1 },
  ]);
  const retry = (body: object) => console.post('/console/api/retry-job', body);
  expect((await retry({ jobId: first })).json.field).toBe('reason');
  expect((await retry({ jobId: '0', reason: 'x' })).json.field).toBe('jobId');
  expect((await retry({ jobId: '999', reason: 'x' })).status).toBe(404);
  expect((await retry({ jobId: first, reason: 'it is back' })).json.result).toBe('waiting');
  expect((await retry({ jobId: first, reason: 'it is back' })).json.result).toBe('not-dead');
  const discarded = await console.post('/console/api/discard-job', {
    jobId: second,
    reason: 'they were called',
  });
  expect(discarded.json).toEqual({ result: 'discarded', audited: true });
  const { json: trail } = await console.get('/console/api/trail');
  expect(trail.entries).toMatchObject([
    { actor: 'grace', action: 'discard job', jobId: second },
    { actor: 'grace', action: 'retry job', jobId: first },
  ]);
});

test('nothing is done that the audit does not hear of first', async () => {
  await using opened = await openConsole();
  const request = await addUnknown(opened);
  const { key } = await addCompleted(opened, 'secret answer');
  const jobId = await addJob(opened);
  const console = opened.console({
    showPayloads: true,
    audit: () => Promise.reject(new Error('the audit is down')),
  });
  const { recordId } = (await console.get('/console/api/unknown')).json.lookups[0];
  const other = (await console.post('/console/api/search', { key })).json.records[0].recordId;
  for (const [name, body] of [
    ['settle', { recordId, ...found }],
    ['answer', { recordId: other }],
    ['payload', { jobId }],
    ['retry-job', { jobId, reason: 'x' }],
    ['discard-job', { jobId, reason: 'x' }],
  ] as const) {
    const refused = await console.post(`/console/api/${name}`, body);
    expect([refused.status, refused.json]).toEqual([503, { error: 'audit-failed' }]);
  }
  expect(await opened.store.find(request)).toMatchObject({ state: 'unknown' });
  expect((await console.get('/console/api/trail')).json.entries).toEqual([]);
});

test('an audit that fails afterwards is said, and undoes nothing', async () => {
  await using opened = await openConsole();
  await addUnknown(opened);
  const console = opened.console({
    audit({ result }) {
      if (result !== 'asked') throw new Error('the audit is down');
    },
  });
  const { recordId } = (await console.get('/console/api/unknown')).json.lookups[0];
  const settled = await console.post('/console/api/settle', { recordId, ...found });
  expect(settled.json).toEqual({ result: 'settled', audited: false });
  expect((await console.get('/console/api/trail')).json.entries).toHaveLength(1);
});

test('what the audit does not hear of afterwards is not shown', async () => {
  await using opened = await openConsole();
  const { key } = await addCompleted(opened, '{"paid":true}');
  const jobId = await addJob(opened);
  let isDown = true;
  const console = opened.console({
    showPayloads: true,
    audit({ result }) {
      if (isDown && result !== 'asked') throw new Error('the audit is down');
    },
  });
  const { recordId } = (await console.post('/console/api/search', { key })).json.records[0];
  const looks = [
    ['answer', { recordId }],
    ['payload', { jobId }],
  ] as const;
  for (const [name, body] of looks) {
    expect((await console.post(`/console/api/${name}`, body)).json).toEqual({
      error: 'audit-failed',
    });
  }
  isDown = false;
  for (const [name, body] of looks) {
    expect((await console.post(`/console/api/${name}`, body)).status).toBe(200);
  }
});

test('another store is counted, searched and settled, and says what it cannot tell', async () => {
  const store = memoryStore();
  const request = await addUnknown({ store: store as never });
  expect(() => createConsole({ store, authorize: () => grace })).toThrow('`audit`');
  const audit: AuditedAction[] = [];
  const console = browse(
    createConsole({ store, authorize: () => grace, audit: (entry) => void audit.push(entry) }),
  );
  expect((await console.get('/console/api/session')).json).toMatchObject({ hasLists: false });
  expect((await console.get('/console/api/overview')).json).toEqual({
    records: { 'in-progress': 0, released: 0, completed: 0, unknown: 1 },
  });
  for (const name of ['unknown', 'jobs', 'trail']) {
    const answer = await console.get(`/console/api/${name}`);
    expect([name, answer.status, answer.json]).toEqual([name, 404, { error: 'unavailable' }]);
  }
  const { key, scope } = request;
  expect((await console.post('/console/api/search', { key })).json.field).toBe('scope');
  expect((await console.post('/console/api/search', { key, scope: 'bob' })).json.records).toEqual(
    [],
  );
  const { json } = await console.post('/console/api/record', { key, scope });
  expect(json).toMatchObject({ key, record: { state: 'unknown' } });
  expect(json).not.toHaveProperty('trail');
  const settled = await console.post('/console/api/settle', { key, scope, ...found });
  expect(settled.json.result).toBe('settled');
  expect(audit.map(({ result, scope: whose }) => [result, whose])).toEqual([
    ['asked', 'alice'],
    ['settled', 'alice'],
  ]);
  expect(JSON.stringify(audit)).not.toContain(key);
});
