import type { RequestListener } from 'node:http';
import { json } from 'node:stream/consumers';

export interface Charge {
  readonly id: string;
  readonly orderId: string;
  readonly cents: number;
}

/** Stands for a payment provider that honours keys: the same key gets the first charge again. */
export function createProvider() {
  const charges: Charge[] = [];
  const byKey = new Map<string, Charge>();

  const listener: RequestListener = (request, response) => {
    const charged = json(request).then((body) => {
      const key = String(request.headers['idempotency-key']);
      const { orderId, cents } = body as Omit<Charge, 'id'>;
      const charge = byKey.get(key) ?? { id: `ch_${charges.length + 1}`, orderId, cents };
      if (!byKey.has(key)) charges.push(charge);
      byKey.set(key, charge);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(charge));
    });
    // Whoever asked is gone before the whole question was here.
    charged.catch(() => response.destroy());
  };
  return { charges, listener };
}
