import assert from 'node:assert/strict';
import type { OpenHarness, TestApi } from '../harness.ts';
import {
  again,
  assertReplays,
  granted,
  leaseOf,
  newRequest,
  opaqueRequest,
  success,
} from '../requests.ts';

/** Guarantee 9: tenants never meet. */
export function describeScopes({ test }: TestApi, open: OpenHarness): void {
  test('the same key in another scope is another intent, with its own answer', async () => {
    await using harness = await open();
    const { store } = harness;
    const alice = newRequest({ scope: 'alice' });
    const bob = { ...alice, scope: 'bob' };
    await store.complete(leaseOf(await store.reserve(alice)), success('for alice'));
    await store.complete(leaseOf(await store.reserve(bob)), success('for bob'));
    assertReplays(await store.reserve(again(alice)), success('for alice'));
    assertReplays(await store.reserve(again(bob)), success('for bob'));
  });

  test('scopes and keys that look alike when joined stay apart', async () => {
    await using harness = await open();
    const { store } = harness;
    const pairs = [
      ['tenant', 'a:aaaaaaaaaaaaaaaa'],
      ['tenant:a', 'aaaaaaaaaaaaaaaa'],
      ['tenanta', ':aaaaaaaaaaaaaaaa'],
      ['{tenant}', 'a:aaaaaaaaaaaaaaaa'],
      ['Tenant', 'a:aaaaaaaaaaaaaaaa'],
      ['tenant', 'A:aaaaaaaaaaaaaaaa'],
    ] as const;
    for (const [scope, key] of pairs) granted(await store.reserve(opaqueRequest({ key, scope })));
  });

  test('a lease of one scope changes nothing in another, even with the right token', async () => {
    await using harness = await open();
    const { store } = harness;
    const alice = newRequest({ scope: 'alice' });
    const lease = leaseOf(await store.reserve(alice));
    const stolen = { ...lease, scope: 'mallory' };
    assert.equal(await store.complete(stolen, success('forged')), 'lease-lost');
    assert.equal(await store.release(stolen), 'lease-lost');
    assert.equal(await store.find(stolen), undefined);
    assert.equal((await store.reserve(again(alice))).kind, 'in-progress');
  });

  test('scopes may hold any text', async () => {
    await using harness = await open();
    for (const scope of [
      '',
      'ünï©ødé 🌍',
      "o'brien; drop table records",
      '%_\\*?[a]',
      'x'.repeat(500),
    ]) {
      const request = newRequest({ scope });
      await harness.store.complete(leaseOf(await harness.store.reserve(request)), success(scope));
      assertReplays(await harness.store.reserve(again(request)), success(scope));
      assert.equal((await harness.store.find(request))?.scope, scope);
    }
  });
}
