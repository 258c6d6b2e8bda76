import { idempotencyKey } from '@onceward/client/trpc';
import { mintKey } from '@onceward/core';
import { counter, showCounters } from './counters.ts';
import { find } from './find.ts';
import { addIntent, type IntentEntry } from './intent-list.ts';
import { type Call, createShopClient } from './shop-client.ts';

const form = find('#pay', HTMLFormElement);
const intents = new Map<string, { readonly entry: IntentEntry; readonly user: string }>();

const client = createShopClient({
  onReplay: (key) => intents.get(key)?.entry.markReplayed(),
  onEvent(event) {
    const intent = intents.get(event.key ?? '');
    if (!intent) return;
    if (event.kind === 'attempt-started') counter(intent.user).sent += 1;
    intent.entry.show(event);
    void refresh();
  },
});

// A user of one's own, whose ledger is empty.
find('#user', HTMLInputElement).value = `guest-${mintKey().slice(-4)}`;
find('#user', HTMLInputElement).addEventListener('change', () => void refresh());
form.addEventListener('submit', (event) => {
  event.preventDefault();
  pay();
});
void refresh();

/** One press of the button is one intent, with one key for all of its attempts. */
function pay(): void {
  const key = mintKey();
  const user = field('user');
  const payment = { to: field('to'), amountCents: Math.round(Number(field('amount')) * 100) };
  const fault = find('input[name="fault"]:checked', HTMLInputElement);
  const wrong = fault.parentElement?.textContent?.trim().toLowerCase();
  const title = `${euros(payment.amountCents)} to ${payment.to} · ${wrong}`;

  const deliver = async () => {
    const call: Call = { user, fault: fault.value };
    try {
      const options = { context: { ...idempotencyKey(key).context, ...call } };
      const { paidAt } = await client.pay.mutate(payment, options);
      entry.settle(`Paid at ${paidAt.toLocaleTimeString()}.`, 'good');
    } catch (error) {
      entry.settle(error instanceof Error ? error.message : String(error), 'bad');
    }
    await refresh();
  };
  const entry = addIntent(find('#intents', Element), { title, key, onAgain: () => void deliver() });
  intents.set(key, { entry, user });
  counter(user).wanted += 1;
  void deliver();
}

/** Asks the ledger what has really happened. */
async function refresh(): Promise<void> {
  const user = field('user');
  showCounters(user);
  const call: Call = { user };
  // A server that is down has nothing to say; the next event asks again.
  const effects = await client.effects.query(undefined, { context: { ...call } }).catch(() => null);
  if (effects && user === field('user')) showCounters(user, effects.pay);
}

function field(name: string): string {
  return find(`input[name="${name}"]`, HTMLInputElement).value;
}

function euros(cents: number): string {
  return (cents / 100).toLocaleString('en', { style: 'currency', currency: 'EUR' });
}
