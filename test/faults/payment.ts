import type { Engine } from '@onceward/server';
import type pg from 'pg';

/** How a payment is made: by effect, and with steps of either form. */
export type PaymentForm = 'atomic' | 'steps' | 'transactional-steps' | 'external' | 'natural';

export interface Payment {
  readonly engine: Engine<pg.PoolClient>;
  readonly key: string;
  readonly form: PaymentForm;
  /** Takes effect, through the pool or through a transaction. */
  readonly charge: (through?: Pick<pg.ClientBase, 'query'>) => Promise<unknown>;
}

/** Pays, as both servers do: the one that dies and the one that gets the same intent after it. */
export function pay({ engine, key, form, charge }: Payment) {
  const intent = { scope: 'alice', key, input: { amount: 100 } };
  const operation = 'pay';
  switch (form) {
    case 'atomic':
      return engine.mutation({ operation, effect: form }).runOnce(intent, async ({ tx }) => {
        await charge(tx);
        return 'paid';
      });
    case 'steps':
      return engine.mutation({ operation, effect: form }).runOnce(intent, async ({ step }) => {
        await step('charge', () => charge().then(() => 'charged'));
        return 'paid';
      });
    case 'transactional-steps':
      return engine.mutation({ operation, effect: 'steps' }).runOnce(intent, async ({ step }) => {
        await step.transaction('charge', ({ tx }) => charge(tx).then(() => 'charged'));
        return 'paid';
      });
    case 'external':
    case 'natural':
      return engine.mutation({ operation, effect: form }).runOnce(intent, async () => {
        await charge();
        return 'paid';
      });
  }
}
