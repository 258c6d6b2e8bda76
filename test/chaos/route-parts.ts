/** Takes effect in the database. */
export const insertEffect =
  'insert into effects (tenant, intent, provider_key) values ($1, $2, $3)';

/**
 * How long nothing may have been heard of an attempt before its absence at the provider counts:
 * longer than a handler may run, a server may be paused and a call may take.
 */
export const quietMs = 8_000;

/** With a cookie, which is for whoever is answered first, and for no replay. */
export function receipt(request: Request, id: string): Response {
  const body = { tenant: tenantOf(request), receipt: id };
  return Response.json(body, { status: 201, headers: { 'set-cookie': `session=${id}` } });
}

/** The answer to whom nobody could answer, as routes keep it. */
export function settledReceipt(tenant: string): object {
  const body = Buffer.from(JSON.stringify({ tenant, receipt: 'as the provider has it' }));
  return { status: 201, headers: [['content-type', 'application/json']], body };
}

/** Whoever authenticated the request has put it there. */
export function tenantOf(request: Request): string {
  return request.headers.get('x-tenant') ?? '';
}

/** Long enough, now and then, for a lease to be renewed, or lost. */
export async function sometimesSlow(chance = 0.05): Promise<void> {
  if (Math.random() >= chance) return;
  await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 1_200));
}
