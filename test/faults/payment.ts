import type { PostgresOutbox } from '@onceward/postgres/outbox';
import type { Engine } from '@onceward/server';
import type pg from 'pg';
import type { parcelTasks } from './parcels.ts';

/** How a payment is made: by effect, with steps of either form, or with a job of its transaction. */
export type PaymentForm =
  'atomic' | 'staged' | 'transactional-steps' | 'outside-steps' | 'external' | 'natural';

export interface Payment {
  readonly engine: Engine<pg.PoolClient>;
  readonly outbox: PostgresOutbox<typeof parcelTasks, pg.PoolClient>;
  readonly key: string;
  readonly form: PaymentForm;
  readonly charge: Charge;
  /** Runs where the effect is there, and neither committed nor returned. */
  readonly inEffect?: () => Promise<unknown> | undefined;
}

/** Takes effect: through a transaction, or at a provider, which takes a key of ours once. */
export type Charge = (how?: {
  readonly tx?: pg.ClientBase;
  readonly providerKey?: string;
}) => Promise<unknown>;

export function intentOf(key: string) {
  return { scope: 'alice', key, input: { cents: 100 } };
}

export function pay({ engine, outbox, key, form, charge, inEffect }: Payment) {
  const intent = intentOf(key);
  const operation = 'pay';
  switch (form) {
    case 'atomic':
      return engine.mutation({ operation, effect: form }).runOnce(intent, async ({ tx }) => {
        await charge({ tx });
        await inEffect?.();
        return 'paid';
      });
    case 'staged':
      return engine.mutation({ operation, effect: 'atomic' }).runOnce(intent, async ({ tx }) => {
        await outbox.enqueue(tx, 'ship', { lane: key, parcel: 1 });
        await inEffect?.();
        return 'paid';
      });
    case 'transactional-steps':
      return engine.mutation({ operation, effect: 'steps' }).runOnce(intent, async ({ step }) => {
        await step.transaction('charge', async ({ tx }) => {
          await charge({ tx });
          await inEffect?.();
        });
        return 'paid';
      });
    case 'outside-steps':
      return engine.mutation({ operation, effect: 'steps' }).runOnce(intent, async ({ step }) => {
        await step('charge', async ({ downstreamKey }) => {
          await charge({ providerKey: downstreamKey });
          await inEffect?.();
        });
        return 'paid';
      });
    case 'external':
    case 'natural':
      return engine.mutation({ operation, effect: form }).runOnce(intent, async () => {
        await charge();
        await inEffect?.();
        return 'paid';
      });
  }
}
