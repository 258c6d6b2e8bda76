import { following } from '@onceward/core';
import { beforeEach, describe, expect, test } from 'vitest';
import { type EngineFixture, openEngine } from '../../../test/support/engine-fixture.ts';
import { mustNotRun } from '../../../test/support/must-not-run.ts';
import { ambient } from './ambient/ambient.ts';
import type { Intent } from './intent.ts';
import type { OpenIntent } from './open-intent.ts';

describe('a handler is asked for, and nothing is reserved,', () => {
  test.each<[string, (intent: Intent) => [EngineFixture, unknown]]>([
    [
      'by a quota',
      (intent) => {
        const fixture = openEngine({ quota: { maxInProgress: 1 } });
        return [fixture, fixture.mutation().openOnce(intent)];
      },
    ],
    [
      'by a limit of admission',
      (intent) => {
        const fixture = openEngine({ hooks: { admit: () => ({ kind: 'admit' }) } });
        return [fixture, fixture.mutation().openOnce(intent)];
      },
    ],
    [
      'by spans',
      (intent) => {
        const fixture = openEngine({ hooks: { trace: (_, run) => run() } });
        return [fixture, fixture.mutation().openOnce(intent)];
      },
    ],
    [
      'by duplicates that wait',
      (intent) => {
        const fixture = openEngine();
        return [fixture, fixture.mutation({ inProgress: 'wait' }).openOnce(intent)];
      },
    ],
    [
      'by steps',
      (intent) => {
        const fixture = openEngine();
        return [fixture, fixture.mutation({ effect: 'steps' }).openOnce(intent)];
      },
    ],
    [
      'by a mutation without a key',
      (intent) => {
        const fixture = openEngine();
        const pay = fixture.mutation({ key: 'optional' });
        return [fixture, pay.openOnce({ ...intent, key: undefined })];
      },
    ],
  ])('%s', async (_, open) => {
    const [{ line }, opened] = open({ scope: 'alice', key: openEngine().newKey() });
    expect(await opened).toBeUndefined();
    expect(line.calls).not.toContain('reserve');
  });
});

describe('what is known already', () => {
  test('is answered, and a changed input is refused', async () => {
    const { mutation, newKey } = openEngine();
    const intent = { scope: 'alice', key: newKey(), input: { amount: 1 } };
    await mutation().runOnce(intent, () => 'paid');
    expect(await mutation().openOnce(intent)).toMatchObject({
      result: { kind: 'success', value: 'paid' },
      replayed: true,
    });
    const changed = { ...intent, input: { amount: 2 } };
    await expect(mutation().openOnce(changed)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  test('under an older secret is left to be asked about in its terms', async () => {
    const before = openEngine();
    const { store } = before.line;
    const intent = { scope: 'alice', key: before.newKey(), input: 1 };
    await before.mutation().runOnce(intent, () => 'paid');
    const secrets = [{ id: 1, secret: 'a secret of this year' }];
    const pay = openEngine({ store, fingerprint: { secrets } }).mutation();
    expect(await pay.openOnce(intent)).toBeUndefined();
    expect(await pay.resultOnce(intent, mustNotRun)).toMatchObject({ replayed: true });
  });

  test('to have expired needs a handler where it may execute again', async () => {
    for (const expired of ['execute', 'refuse'] as const) {
      const { mutation, newKey, clock } = openEngine({ expired, keyRetentionMs: 86_400_000 });
      const intent = { scope: 'alice', key: newKey() };
      clock.jump(86_400_001);
      const opened = mutation({ effect: 'natural' }).openOnce(intent);
      await (expired === 'execute'
        ? expect(opened).resolves.toBeUndefined()
        : expect(opened).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_EXPIRED' }));
    }
  });
});

describe('of two ends, the first counts:', () => {
  test('a success is not called in doubt later', async () => {
    const { mutation, newKey, line } = openEngine();
    const intent = { scope: 'alice', key: newKey() };
    const open = opened(await mutation().openOnce(intent));
    const first = open.succeed('paid');
    expect(await open.fail(new Error('too late'))).toBe(await first);
    expect(line.calls.filter((call) => call === 'complete')).toHaveLength(1);
    expect(line.calls).not.toContain('markUnknown');
    expect(await mutation().runOnce(intent, mustNotRun)).toMatchObject({ value: 'paid' });
  });

  test('what is in doubt does not become a success', async () => {
    const { mutation, newKey, line } = openEngine();
    const open = opened(await mutation().openOnce({ scope: 'alice', key: newKey() }));
    const ends = [open.fail(new Error('no answer')), open.succeed('paid')];
    for (const end of ends) {
      await expect(end).rejects.toMatchObject({ code: 'IDEMPOTENCY_OUTCOME_UNKNOWN' });
    }
    expect(line.calls).not.toContain('complete');
  });
});

describe('before somebody may ask for the current intent', () => {
  beforeEach(() => Object.assign(following(), { asked: false, missed: 0 }));

  test.each<[string, (open: OpenIntent) => Promise<unknown>]>([
    ['succeeds', async (open) => open.succeed('paid')],
    ['fails', (open) => open.fail(new Error('no answer'))],
  ])('what is open is missed, until it %s', async (_, end) => {
    const { mutation, newKey } = openEngine();
    const open = opened(await mutation().openOnce({ scope: 'alice', key: newKey() }));
    expect(following().missed).toBe(1);
    await end(open).catch(() => undefined);
    expect(following().missed).toBe(0);
  });

  test('no async context is entered for its parts', async () => {
    const { mutation, newKey } = openEngine();
    const open = opened(await mutation().openOnce({ scope: 'alice', key: newKey() }));
    expect(open.within(() => ambient().getStore())).toBeUndefined();
    await open.succeed('paid');
  });
});

function opened(found: object | undefined): OpenIntent {
  if (!found || !('kind' in found)) throw new TypeError('Expected the right to execute');
  return found as OpenIntent;
}
