// What a page of the tests can do with the hooks: a shop with one button, and a bank to pay with.
import {
  createJournal,
  describeFailure,
  HttpStatusError,
  type Journal,
  type JournalRecord,
} from '@onceward/client';
import { indexedDbJournal } from '@onceward/client/indexeddb';
import {
  type JournaledCall,
  type JournaledMutation,
  useJournaledMutation,
  useMutationRecord,
  usePendingMutations,
} from '@onceward/client/react';
import { IdempotencyError } from '@onceward/core';
import { createElement, StrictMode, useEffect } from 'react';
import { createRoot, type Root } from 'react-dom/client';

interface Payment {
  cents: number;
}

/** What a component was given when it was rendered. */
export interface Shown {
  payment: JournaledMutation<Payment, { paid: number }>;
  pending: readonly JournalRecord[];
  record: JournalRecord | undefined;
}

export interface ShopProps {
  intent?: string;
  /** What is to be found again in the record. */
  meta?: string;
  /** Pays through a call, as with a client library. */
  byCall?: boolean;
  /** Pays when it is mounted, and not when somebody clicks. */
  atOnce?: boolean;
}

/** One page: a journal, a bank that answers when it is told to, and components. */
export class Shop {
  readonly shown: Shown[] = [];
  readonly requests: { key: string; cents: number }[] = [];
  journal: Journal;
  readonly #answers: ((answer: number) => void)[] = [];
  #root: Root | undefined;
  #online: boolean;
  #listeners = new Set<() => void>();

  constructor({ online = true }: { online?: boolean } = {}) {
    this.#online = online;
    this.journal = this.#openJournal('alice');
  }

  /** Somebody else uses the page from now on. */
  signIn(scope: string): void {
    this.journal = this.#openJournal(scope);
    this.render();
  }

  #openJournal(scope: string): Journal {
    const journal = createJournal({
      store: indexedDbJournal(),
      scope,
      baseDelayMs: 1,
      network: {
        online: () => this.#online,
        listen: (listener) => {
          this.#listeners.add(listener);
          return () => void this.#listeners.delete(listener);
        },
      },
    });
    journal.connect('bank', {
      send: async (input, attempt) => {
        const { cents } = input as Payment;
        this.requests.push({ key: attempt.takeKey() ?? '', cents });
        const status = await new Promise<number>((resolve) => this.#answers.push(resolve));
        if (status === 200) return { paid: cents };
        if (status === 410) {
          throw new IdempotencyError('IDEMPOTENCY_KEY_EXPIRED', { keyRetentionMs: 1 });
        }
        throw new HttpStatusError({ status, headers: { get: () => null } });
      },
      describeFailure,
      preserve: (error: HttpStatusError) => error.status,
      revive: (status: number) => new HttpStatusError({ status, headers: { get: () => null } }),
    });
    return journal;
  }

  goOnline(): void {
    this.#online = true;
    for (const listener of this.#listeners) listener();
  }

  /** Answers the oldest request that has no answer. */
  answer(status = 200): void {
    this.#answers.shift()?.(status);
  }

  mount(props: ShopProps = {}): void {
    const container = document.body.appendChild(document.createElement('main'));
    this.#root = createRoot(container);
    this.render(props);
  }

  render(props: ShopProps = {}): void {
    const component = createElement(PayButton, { ...props, shop: this });
    this.#root?.render(createElement(StrictMode, null, component));
  }

  unmount(): void {
    this.#root?.unmount();
  }

  last(): Shown {
    const shown = this.shown.at(-1);
    if (!shown) throw new Error('Nothing was rendered');
    return shown;
  }

  /** Its status, what is pending, and what came of it. */
  summary() {
    const { payment, pending } = this.last();
    const { status, isPending, result, error } = payment;
    return {
      status,
      isPending,
      pending: pending.length,
      result,
      error: error instanceof Error ? error.message : undefined,
    };
  }
}

function PayButton({ shop, intent, meta, byCall, atOnce = false }: ShopProps & { shop: Shop }) {
  const { journal } = shop;
  const bank = { channel: 'bank', operation: 'pay' };
  const call: JournaledCall<Payment, { paid: number }> = async (input, { context }) => {
    const { settled } = await journal.submit({ ...bank, ...context.journal, input });
    return settled as Promise<{ paid: number }>;
  };
  const payment = useJournaledMutation(journal, byCall ? call : bank, { intent, meta });
  const pending = usePendingMutations(journal, ({ operation }) => operation === 'pay');
  const record = useMutationRecord(journal, payment.record?.id);
  const { submit } = payment;
  useEffect(() => {
    if (atOnce) void submit({ cents: 100 });
  }, [atOnce, submit]);
  shop.shown.push({ payment, pending, record });
  return createElement('button', { onClick: () => void submit({ cents: 100 }) }, 'Pay');
}
