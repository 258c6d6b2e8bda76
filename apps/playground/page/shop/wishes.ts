import type { TRPCClient } from '@trpc/client';
import type { AppRouter } from '../../src/trpc/app-router.ts';

/** What a person can want of the shop: one mutation for each effect. */
export interface Wish {
  /** What is declared on the server, and what follows from it. */
  readonly effect: 'atomic' | 'steps' | 'external' | 'natural';
  readonly title: string;
  readonly about: string;
  /** What is on the button. */
  readonly verb: string;
  /** What the shop says when it is done. */
  readonly done: string;
  /** What the ledger counts, one and several. */
  readonly counted: readonly [one: string, several: string];
  readonly send: (client: Mutations, options: CallOptions) => Promise<unknown>;
  readonly document: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export type WishName = 'pay' | 'book' | 'notify' | 'rename';

/** The four mutations, which are the same with onceward and without. */
export type Mutations = Pick<TRPCClient<AppRouter>, WishName>;

export interface CallOptions {
  readonly context?: Record<string, unknown>;
}

const payment = { to: 'Bean & Leaf', amountCents: 1_200 };
const trip = { trip: 'Vienna to Venice', amountCents: 4_900 };
const message = { to: 'bob', text: 'The table is yours at eight.' };
const profile = { name: 'Ada' };

export const wishes: Readonly<Record<WishName, Wish>> = {
  pay: {
    effect: 'atomic',
    title: 'Coffee, €12.00',
    about: 'Payment and key commit in one transaction.',
    verb: 'Pay €12.00',
    done: 'Paid',
    counted: ['charge', 'charges'],
    input: payment,
    send: (client, options) => client.pay.mutate(payment, options),
    document: 'mutation pay($input: PayInput!) { pay(input: $input) { paymentId paidAt } }',
  },
  book: {
    effect: 'steps',
    title: 'Train to Venice, €49.00',
    about: 'Seat, charge, confirmation: three systems. Done steps stay done.',
    verb: 'Book €49.00',
    done: 'Booked',
    counted: ['charge', 'charges'],
    input: trip,
    send: (client, options) => client.book.mutate(trip, options),
    document: 'mutation book($input: BookInput!) { book(input: $input) { bookingId } }',
  },
  notify: {
    effect: 'external',
    title: 'Text message',
    about: 'A gateway that knows no keys. In doubt, it is never repeated.',
    verb: 'Send the text',
    done: 'Sent',
    counted: ['message', 'messages'],
    input: message,
    send: (client, options) => client.notify.mutate(message, options),
    document: 'mutation notify($input: NotifyInput!) { notify(input: $input) { messageId } }',
  },
  rename: {
    effect: 'natural',
    title: 'New name',
    about: 'Safe to repeat by itself, so it may be.',
    verb: 'Save the name',
    done: 'Saved',
    counted: ['save', 'saves'],
    input: profile,
    send: (client, options) => client.rename.mutate(profile, options),
    document: 'mutation rename($input: RenameInput!) { rename(input: $input) { name } }',
  },
};

export const wishNames = Object.keys(wishes) as WishName[];
