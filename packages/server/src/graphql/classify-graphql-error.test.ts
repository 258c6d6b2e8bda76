import { IdempotencyError } from '@onceward/core';
import { type ExecutionResult, type OperationDefinitionNode, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { GraphQLError } from '../../test/host-graphql.ts';
import type { Effect } from '../effect.ts';
import { classifyFailure, type ErrorPolicy } from './classify-graphql-error.ts';
import { FailedExecution, failureOf } from './failed-execution.ts';

const declined = (path?: string[]) => new GraphQLError('declined', path ? { path } : {});
const accident = (path?: string[]) =>
  new GraphQLError('oops', { originalError: new Error('oops'), ...(path ? { path } : {}) });

describe('a mutation has failed when', () => {
  test.each<[string, ExecutionResult]>([
    ['its field is null because of an error', { data: { pay: null }, errors: [declined(['pay'])] }],
    [
      'something below it that may not be null failed',
      { data: { pay: null }, errors: [accident(['pay', 'id'])] },
    ],
    ['there is no data left', { data: null, errors: [accident(['other'])] }],
    ['an error does not say where it was', { data: { pay: null }, errors: [accident()] }],
  ])('%s', (_, raw) => {
    expect(failureOf({ raw }, 'pay')).toMatchObject({ executed: true });
  });

  test.each<[string, ExecutionResult]>([
    ['there are no errors', { data: { pay: 1 } }],
    ['null is its answer', { data: { pay: null } }],
    [
      'only something below it failed',
      { data: { pay: { id: 1, note: null } }, errors: [accident(['pay', 'note'])] },
    ],
    [
      'only its neighbour failed',
      { data: { pay: null, other: null }, errors: [accident(['other'])] },
    ],
  ])('and not when %s', (_, raw) => {
    expect(failureOf({ raw }, 'pay')).toBeUndefined();
  });

  test('and was not executed when a variable did not fit its type', () => {
    const [{ variableDefinitions }] = parse('mutation ($cents: Int!) { pay(cents: $cents) }')
      .definitions as [OperationDefinitionNode];
    const misfit = new GraphQLError('not an Int', { nodes: variableDefinitions ?? [] });
    expect(failureOf({ raw: { errors: [misfit] } }, 'pay')).toMatchObject({ executed: false });
  });

  test('and may have been executed when there is no `data` for any other reason', () => {
    for (const errors of [[declined()], []]) {
      expect(failureOf({ raw: { errors } }, 'pay')).toMatchObject({ executed: true });
    }
  });

  test('which is judged before masking, and answered as it is after it', () => {
    const masked = { data: { pay: null }, errors: [new GraphQLError('Unexpected error.')] };
    const raw = { data: { pay: null }, errors: [accident(['pay'])] };
    const failure = failureOf({ raw, answer: masked }, 'pay');
    expect(failure?.answer).toBe(masked);
    expect(failure?.errors).toEqual(raw.errors);
  });
});

describe('the failure of a mutation', () => {
  const effects: Effect[] = ['atomic', 'steps', 'external', 'natural'];
  const byEffect = ['release', 'release', 'unknown', 'release'];
  const always = (errorClass: string) => effects.map(() => errorClass);

  test.each<[string, GraphQLError[], string[]]>([
    ['that was thrown on purpose is stored', [declined()], always('store')],
    ['that nobody expected follows the effect', [accident()], byEffect],
    ['follows the effect when one of two is unexpected', [declined(), accident()], byEffect],
    ['marked as unexpected follows the effect', [withExtensions({ unexpected: true })], byEffect],
    [
      'of a resolver that calls it internal follows the effect',
      [withExtensions({ code: 'INTERNAL_SERVER_ERROR' })],
      byEffect,
    ],
    [
      'that asks to sign in follows the effect',
      [withExtensions({ code: 'UNAUTHENTICATED' })],
      byEffect,
    ],
    ['with status 503 follows the effect', [withExtensions({ http: { status: 503 } })], byEffect],
    ['with status 429 follows the effect', [withExtensions({ http: { status: 429 } })], byEffect],
    ['with status 402 is stored', [withExtensions({ http: { status: 402 } })], always('store')],
    ['that wraps one thrown on purpose is stored', [wrapped(declined())], always('store')],
    ['that is a refusal of this kit follows the effect', [wrapped(refusal())], byEffect],
    [
      'that came from another service of this kit follows the effect',
      [withExtensions({ idempotency: {} })],
      byEffect,
    ],
  ])('%s', (_, errors, expected) => {
    const classes = effects.map((effect) => classify(errors, { effect }));
    expect(classes).toEqual(expected);
  });

  test('that was not executed is released, whatever the effect', () => {
    const failure = new FailedExecution({ answer: {}, errors: [declined()], executed: false });
    expect(classifyFailure(failure, policy({ effect: 'external' }))).toBe('release');
  });

  test('is stored by the profile of Stripe, unless it is a refusal', () => {
    expect(classify([accident()], { effect: 'natural', profile: 'stripe' })).toBe('store');
    expect(classify([wrapped(refusal())], { effect: 'natural', profile: 'stripe' })).toBe(
      'release',
    );
  });

  test('means what the application says first', () => {
    const own = [() => undefined, () => 'store' as const, () => 'release' as const];
    expect(classify([accident()], { effect: 'external', own })).toBe('store');
  });

  test('is left to the engine when it is no result', () => {
    expect(classifyFailure(new Error('oops'), policy({ effect: 'external' }))).toBeUndefined();
  });
});

function withExtensions(extensions: Record<string, unknown>): GraphQLError {
  return new GraphQLError('no', { extensions });
}

function wrapped(originalError: Error): GraphQLError {
  return new GraphQLError('no', { originalError });
}

function refusal(): Error {
  return new IdempotencyError('IDEMPOTENCY_IN_PROGRESS', { retryAfterMs: 1 });
}

function policy(given: Partial<ErrorPolicy>): ErrorPolicy {
  return { effect: 'external', profile: 'ietf', own: [], ...given };
}

function classify(errors: GraphQLError[], given: Partial<ErrorPolicy>) {
  return classifyFailure(new FailedExecution({ answer: {}, errors }), policy(given));
}
