import { formatKeyHeader, type IdempotencyKey, mintKey } from '@onceward/core';
import { pick } from '../support/seeded-random.ts';
import { type Form, forms } from './chaos-server-process.ts';

/** One thing a customer wants, and all answers they got to it. */
export interface ChaosIntent {
  readonly tenant: string;
  readonly key: IdempotencyKey;
  readonly form: Form;
  readonly cents: number;
  readonly answers: string[];
}

export interface CustomersOptions {
  /** Where to send it to, this time. */
  readonly url: () => string;
  readonly random: () => number;
  readonly over: () => boolean;
  readonly customers: number;
}

export interface Customers {
  readonly intents: readonly ChaosIntent[];
  /** By status; 0 for requests without an answer. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Resolves when it is over and every customer has gone. */
  readonly done: Promise<void>;
}

/**
 * Customers who send each mutation until it is answered, or chaos is over. Some press twice, some ask
 * again later, and two tenants use the same keys.
 */
export function letCustomersIn(options: CustomersOptions): Customers {
  const { random } = options;
  const intents: ChaosIntent[] = [];
  const statuses: Record<number, number> = {};
  const shared = new Set<string>();
  const newIntent = (): ChaosIntent => {
    const last = intents.at(-1);
    const again = last !== undefined && !shared.has(last.key) && random() < 0.1;
    const key = again ? last.key : mintKey();
    if (again) shared.add(key);
    const tenant = again ? other(last.tenant) : pick(tenants, random);
    return {
      tenant,
      key,
      form: pick(forms, random),
      cents: Math.floor(random() * 1e4),
      answers: [],
    };
  };
  const ask = async (intent: ChaosIntent) => {
    const { status, text } = await send(intent, options.url());
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === 201) intent.answers.push(text);
    return status === 201;
  };
  const shop = async () => {
    while (!options.over()) {
      const intent = newIntent();
      intents.push(intent);
      if (random() < 0.2) void ask(intent);
      while (!(await ask(intent)) && !options.over()) await passes(20 + random() * 80);
      if (random() < 0.2) await ask(intent);
    }
  };
  const done = Promise.all(Array.from({ length: options.customers }, shop)).then(() => undefined);
  return { intents, statuses, done };
}

/** Sends it once. */
export async function send(
  { tenant, key, form, cents }: ChaosIntent,
  url: string,
): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(`${url}/${form}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': formatKeyHeader(key),
        'x-tenant': tenant,
      },
      body: JSON.stringify({ cents }),
      signal: AbortSignal.timeout(4_000),
    });
    return { status: response.status, text: await response.text() };
  } catch {
    return { status: 0, text: '' };
  }
}

export function passes(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const tenants = ['ada', 'bob', 'cy', 'dee'] as const;

function other(tenant: string): string {
  return tenants.find((each) => each !== tenant) ?? '';
}
