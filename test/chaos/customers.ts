import { setTimeout as passes } from 'node:timers/promises';
import { createKeyMinter, formatKeyHeader, type IdempotencyKey, mintKey } from '@onceward/core';
import { pick } from '../support/seeded-random.ts';
import { type Form, helpWith, pickForm, slow } from './forms.ts';
import { post, type Posted } from './post.ts';

/** One thing a customer wants, and all answers they got to it. */
export interface ChaosIntent {
  readonly tenant: string;
  readonly key: IdempotencyKey;
  readonly form: Form;
  readonly cents: number;
  /** What the customer's device takes for now: hours ahead, or days behind. */
  readonly deviceClock: 'right' | 'ahead' | 'behind';
  readonly answers: string[];
  /** Another input was sent under this key. */
  askedOther: boolean;
  /** And somebody answered it. */
  answeredOther: boolean;
  /** A replay set the cookie that somebody else was given. */
  oldCookie: boolean;
  /** It was refused for good: nothing happened, or nobody keeps what did. */
  refused: boolean;
}

export interface CustomersOptions {
  /** Where to send it to, this time. */
  readonly port: () => number;
  readonly random: () => number;
  readonly over: () => boolean;
  readonly customers: number;
  /** Whether servers have a Redis. */
  readonly redis: boolean;
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
 * again later, some walk away, some send something else under the same key, and tenants use the same
 * keys.
 */
export function letCustomersIn(options: CustomersOptions): Customers {
  const { random, port, over } = options;
  const intents: ChaosIntent[] = [];
  const statuses: Record<number, number> = {};
  const shared = new Set<string>();
  const newIntent = (): ChaosIntent => {
    const last = intents.at(-1);
    const again = last !== undefined && !shared.has(last.key) && random() < 0.1;
    if (again) shared.add(last.key);
    const deviceClock = again ? last.deviceClock : pickClock(random);
    return {
      tenant: again ? other(last.tenant) : pick(tenants, random),
      key: again ? last.key : minters[deviceClock](),
      form: pickForm(random, options.redis),
      cents: Math.floor(random() * 1e4),
      deviceClock,
      answers: [],
      askedOther: false,
      answeredOther: false,
      oldCookie: false,
      refused: false,
    };
  };
  const ask = async (intent: ChaosIntent): Promise<boolean> => {
    const answer = await send(intent, port());
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    return note(intent, answer);
  };
  const pressAgain = async (intent: ChaosIntent) => {
    await passes(500 + random() * 300);
    if (intent.answers.length === 0 && !over()) await ask(intent);
  };
  const shop = async () => {
    while (!over()) {
      const intent = newIntent();
      intents.push(intent);
      if (random() < 0.2) void ask(intent);
      if (slow.has(intent.form)) void pressAgain(intent);
      while (!(await ask(intent)) && !over()) {
        if (random() < 0.03) break;
        await passes(20 + random() * 80);
        if (random() < 0.2) await getHelp(intent, port());
      }
      if (random() < 0.15) await ask(intent);
      // Only a key that was answered is a used one: it may be over before any server has seen it.
      if (intent.answers.length > 0 && random() < 0.05) await askForAnother(intent, port());
    }
  };
  const done = Promise.all(Array.from({ length: options.customers }, shop)).then(() => undefined);
  return { intents, statuses, done };
}

/** Sends it once. */
export function send({ tenant, key, form, cents }: ChaosIntent, port: number): Promise<Posted> {
  return post({
    port,
    path: `/${form}`,
    headers: { 'idempotency-key': formatKeyHeader(key), 'x-tenant': tenant },
    body: `{"cents":${cents}}`,
  });
}

/** Notes what was answered; whether that is the end of it. */
export function note(intent: ChaosIntent, { status, text, oldCookie }: Posted): boolean {
  if (status === 201) intent.answers.push(text);
  if (oldCookie) intent.oldCookie = true;
  // A key from the future, unless only that server's clock is behind; a key that is too old.
  if (status === 400 && intent.deviceClock === 'ahead') intent.refused = true;
  const mayBeForgotten = intent.deviceClock === 'behind' || intent.form === 'brief';
  if (status === 410 && mayBeForgotten) intent.refused = true;
  return status === 201 || intent.refused;
}

/** What a webhook does, or an operator, where somebody has to. */
export async function getHelp({ tenant, key, form }: ChaosIntent, port: number): Promise<void> {
  const path = helpWith(form);
  if (path) await post({ port, path, headers: { 'x-tenant': tenant }, body: key });
}

async function askForAnother(intent: ChaosIntent, port: number): Promise<void> {
  intent.askedOther = true;
  const { status } = await send({ ...intent, cents: intent.cents + 1 }, port);
  if (status === 201) intent.answeredOther = true;
}

const hourMs = 3_600_000;
const minters: Readonly<Record<ChaosIntent['deviceClock'], () => IdempotencyKey>> = {
  right: mintKey,
  ahead: createKeyMinter({ now: () => Date.now() + 9 * hourMs }),
  behind: createKeyMinter({ now: () => Date.now() - 9 * 24 * hourMs }),
};

function pickClock(random: () => number): ChaosIntent['deviceClock'] {
  const dice = random();
  return dice < 0.99 ? 'right' : dice < 0.995 ? 'ahead' : 'behind';
}

const tenants = ['ada', 'bob', 'cy', 'dee'] as const;

function other(tenant: string): string {
  return tenants.find((each) => each !== tenant) ?? '';
}
