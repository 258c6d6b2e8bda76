import type { Store } from '@onceward/core/store';
import { describe, expect, test } from 'vitest';
import { createEngine } from '../engine.ts';
import { memoryStore } from '../memory/memory-store.ts';
import type { EngineOptions } from './engine-options.ts';
import type { MutationOptions } from './mutation-options.ts';

const store = memoryStore();
const durable = storeWith({ transactions: false, durable: true, failoverSafe: false });

describe('an engine is refused', () => {
  const mistakes: [string, Partial<EngineOptions<never>>, RegExp][] = [
    ['without a store', { store: undefined as never }, /`store`/],
    ['with something else for a store', { store: {} as never }, /`store`/],
    ['with a lease of 0', { leaseMs: 0 }, /`leaseMs`.*got 0/],
    ['with a lease of 1.5', { leaseMs: 1.5 }, /`leaseMs`/],
    ['with a lease of NaN', { leaseMs: Number.NaN }, /`leaseMs`/],
    ['with an endless lease', { leaseMs: Infinity }, /`leaseMs`/],
    ['with a time no timer can wait for', { maxExecutionMs: 2 ** 31 }, /`maxExecutionMs`.*24 days/],
    ['with a negative retention', { keyRetentionMs: -1 }, /`keyRetentionMs`/],
    ['with no clock skew at all', { maxClockSkewMs: 0 }, /`maxClockSkewMs`/],
    ['with an unknown profile', { profile: 'github' as 'ietf' }, /`profile`.*'ietf' or 'stripe'/],
    ['with an unknown key format', { keyFormat: 'uuid' as 'opaque' }, /`keyFormat`/],
    ['with an unknown mode', { inProgress: 'block' as 'wait' }, /`inProgress`/],
    ['with no waiters', { inProgress: { mode: 'wait', maxWaiters: 0 } }, /maxWaiters/],
    ['with a short encryption key', { encryption: { keys: [bytesKey('a', 16)] } }, /32 bytes/],
    ['with no encryption key', { encryption: { keys: [] } }, /`encryption.keys`/],
    [
      'with one encryption id twice',
      { encryption: { keys: [bytesKey('a', 32), bytesKey('a', 32)] } },
      /no id twice/,
    ],
    ['with a quota of 0', { quota: { maxInProgress: 0 } }, /`quota.maxInProgress`/],
  ];

  test.each(mistakes)('%s', (_, options, message) => {
    expect(() => createEngine({ store, ...options })).toThrow(TypeError);
    expect(() => createEngine({ store, ...options })).toThrow(message);
  });
});

describe('a mutation is refused', () => {
  const mistakes: [string, Partial<MutationOptions>, RegExp][] = [
    ['without an effect', { effect: undefined as never }, /`effect`/],
    ['with an unknown effect', { effect: 'pure' as never }, /`effect`.*'atomic' or 'steps'/],
    ['without an operation', { operation: '' }, /`operation`/],
    ['with a NUL in its operation', { operation: 'pay\0' }, /`operation`/],
    ['as atomic on a store without transactions', { effect: 'atomic' }, /needs a store with trans/],
    [
      'as external that re-executes',
      { onStaleLease: 're-execute' },
      /`outsideCallsCarryKeys: true`/,
    ],
    ['that must survive a fail-over', { requires: 'failover-safe' }, /`requires: 'failover-safe'`/],
    [
      'whose answers outlive their keys',
      { answerRetentionMs: 2_000, keyRetentionMs: 1_000 },
      /`answerRetentionMs`/,
    ],
    ['with a lease beyond maxExecutionMs', { leaseMs: 700_000 }, /`leaseMs`/],
    ['with a misspelt policy', { onStaleLease: 'Unknown' as 'unknown' }, /`onStaleLease`/],
    ['with a misspelt requirement', { requires: 'durable!' as 'durable' }, /`requires`/],
    ['with answers of version 0', { answerVersion: 0 }, /`answerVersion`/],
    ['with an unknown key policy', { key: 'maybe' as 'optional' }, /`key`/],
  ];

  test.each(mistakes)('%s', (_, options, message) => {
    const engine = createEngine<unknown>({ store: durable });
    const declare = () => engine.mutation({ operation: 'pay', effect: 'external', ...options });
    expect(declare).toThrow(TypeError);
    expect(declare).toThrow(message);
  });

  test('on a store that may forget, unless that is accepted or harmless', () => {
    const external = { operation: 'pay', effect: 'external' } as const;
    expect(() => createEngine({ store }).mutation(external)).toThrow(/`acceptLoss: true`/);
    expect(() => createEngine({ store, acceptLoss: true }).mutation(external)).not.toThrow();
    const natural = { operation: 'rename', effect: 'natural' } as const;
    expect(() => createEngine({ store }).mutation(natural)).not.toThrow();
    const demanding = { ...natural, requires: 'durable' } as const;
    const engine = createEngine({ store, acceptLoss: true });
    expect(() => engine.mutation(demanding)).toThrow(/may forget a key/);
  });

  test('when its opaque keys would be forgotten and execute again', () => {
    const options = { operation: 'pay', effect: 'external' } as const;
    const engine = createEngine({ store: durable, keyFormat: 'opaque' });
    expect(() => engine.mutation(options)).toThrow(/`keyRetentionMs: Infinity`/);
    expect(() => engine.mutation({ ...options, keyRetentionMs: Infinity })).not.toThrow();
    const forgetful = createEngine({ store: durable, keyFormat: 'opaque', expired: 'execute' });
    expect(() => forgetful.mutation(options)).not.toThrow();
  });

  test('when an expired key could be executed again', () => {
    const engine = createEngine({ store: durable, expired: 'execute' });
    expect(() => engine.mutation({ operation: 'pay', effect: 'external' })).toThrow(/`expired/);
    expect(() => engine.mutation({ operation: 'rename', effect: 'natural' })).not.toThrow();
  });

  test('as atomic that would leave outcomes unknown', () => {
    const transactional = Object.assign(
      storeWith({ transactions: true, durable: true, failoverSafe: false }),
      { transact: () => Promise.reject(new Error('not called')) },
    );
    const engine = createEngine<unknown>({ store: transactional });
    const options = { operation: 'pay', effect: 'atomic' } as const;
    expect(() => engine.mutation({ ...options, onStaleLease: 'unknown' })).toThrow(/no lease/);
    expect(() => engine.mutation(options)).not.toThrow();
  });

  test('as external that re-executes is allowed when outside calls carry derived keys', () => {
    const engine = createEngine({ store: durable });
    const options = { operation: 'pay', effect: 'external', onStaleLease: 're-execute' } as const;
    expect(() => engine.mutation({ ...options, outsideCallsCarryKeys: true })).not.toThrow();
  });
});

function storeWith(capabilities: Store['capabilities']): Store {
  return new Proxy(store, {
    get: (target, property) =>
      property === 'capabilities' ? capabilities : (Reflect.get(target, property, target) as never),
  });
}

function bytesKey(id: string, length: number) {
  return { id, key: new Uint8Array(length) };
}
