import { postgresInbox } from '@onceward/postgres/inbox';
import express, { type Express } from 'express';
import type pg from 'pg';
import { isSigned } from './signature.ts';

export interface PaymentEvent {
  /** The same on every delivery of this event. */
  readonly id: string;
  readonly account: string;
  readonly cents: number;
}

/** Credits an account for each payment that a provider tells about, however often it tells. */
export function createWebhooks(pool: pg.Pool, secret: string): Express {
  const inbox = postgresInbox(pool, { source: 'provider' });

  return express().post('/webhooks', express.raw({ type: '*/*' }), async (request, response) => {
    const body = request.body as Buffer;
    // First of all: a stranger must not be able to use up the id of an event.
    if (!isSigned(body, request.get('signature') ?? '', secret)) {
      return void response.status(401).json({ answer: 'not signed' });
    }
    const event = JSON.parse(body.toString()) as PaymentEvent;
    const delivery = await inbox.processOnce(event.id, async ({ tx }) => {
      const sql = 'update accounts set cents = cents + $2 where id = $1 returning cents';
      const { rows } = await tx.query<{ cents: number }>(sql, [event.account, event.cents]);
      return { balance: rows[0]?.cents };
    });
    // Another delivery of it is being processed: let the provider come again.
    if (delivery.kind === 'in-progress') return void response.sendStatus(409);
    response.json({ answer: delivery.kind, ...delivery.value });
  });
}
