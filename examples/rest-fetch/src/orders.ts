import { postgresStore } from '@onceward/postgres';
import { createIdempotency, nodeHandler } from '@onceward/server/fetch';
import express, { type Express } from 'express';
import type pg from 'pg';

export interface Order {
  readonly id: number;
  readonly item: string;
}

/** An Express application whose `POST /orders` happens once per key. */
export function createOrders(pool: pg.Pool): Express {
  // Nobody signs in here. In an application the scope is the id of whoever did.
  const once = createIdempotency({ store: postgresStore(pool), scope: () => 'ada' });

  const createOrder = once.route(
    { operation: 'orders.create', effect: 'atomic' },
    async (request, { tx }) => {
      const { item } = (await request.json()) as { item: string };
      // The order and its key commit together, or not at all.
      const sql = 'insert into orders (item) values ($1) returning id, item';
      const { rows } = await tx.query<Order>(sql, [item]);
      return Response.json(rows[0], { status: 201 });
    },
  );
  return express().post('/orders', nodeHandler(createOrder));
}
