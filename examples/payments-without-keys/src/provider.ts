import type { RequestListener } from 'node:http';
import { json } from 'node:stream/consumers';

export interface Charge {
  readonly id: string;
  readonly orderId: string;
  readonly cents: number;
  /** Ours, for us to find it again. */
  readonly reference: string;
}

/** Stands for a provider that charges whenever it is asked to. It can be asked what it charged. */
export function createProvider() {
  const charges: Charge[] = [];

  const listener: RequestListener = (request, response) => {
    const answer = (found: readonly Charge[]) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found));
    if (request.method === 'GET') {
      const reference = new URL(request.url ?? '/', 'http://provider').searchParams.get(
        'reference',
      );
      return void answer(charges.filter((charge) => charge.reference === reference));
    }
    const charged = json(request).then((body) => {
      const charge = { id: `ch_${charges.length + 1}`, ...(body as Omit<Charge, 'id'>) };
      charges.push(charge);
      answer([charge]);
    });
    // Whoever asked is gone before the whole question was here.
    charged.catch(() => response.destroy());
  };
  return { charges, listener };
}
