import type { DeliveryEvent } from '@onceward/client/trpc';
import { failureWords, successWords, waitWords } from './event-words.ts';

/** One payment on the page, from the press of the button until it is settled. */
export interface IntentEntry {
  /** Shows what happens to it. */
  show(event: DeliveryEvent): void;
  /** The answer that it gets next is one that the server had stored. */
  markReplayed(): void;
  settle(words: string, outcome: 'good' | 'bad'): void;
}

export interface IntentDescription {
  readonly title: string;
  readonly key: string;
  /** Sends the same intent once more. */
  readonly onAgain: () => void;
}

/** Adds a payment to the top of the list. */
export function addIntent(list: Element, { title, key, onAgain }: IntentDescription): IntentEntry {
  const attempts = create('ol', { className: 'attempts' });
  const outcome = create('p');
  const again = create('button', { type: 'button', textContent: 'Send it again', hidden: true });
  again.addEventListener('click', onAgain);
  const foot = create('div', { className: 'outcome' });
  foot.append(outcome, again);
  const entry = create('li');
  const heading = create('h3', { textContent: title });
  const keyLine = create('code', { textContent: `Idempotency-Key: ${key}` });
  entry.append(heading, keyLine, attempts, foot);
  list.prepend(entry);

  let current = create('li');
  let replayed = false;
  let settled = false;
  const say = (words: string, className: string) => {
    current.textContent = words;
    current.className = className;
  };
  return {
    show(event) {
      switch (event.kind) {
        case 'attempt-started':
          current = create('li', { textContent: 'sent …' });
          attempts.append(current);
          again.hidden = true;
          break;
        case 'attempt-failed':
          say(failureWords(event), 'bad');
          break;
        case 'attempt-waiting':
          current.append(waitWords(event.delayMs));
          break;
        case 'intent-settled':
          if (event.as !== 'succeeded') break;
          say(successWords({ replayed, first: event.attempt === 1 && !settled }), 'good');
          break;
      }
    },
    markReplayed() {
      replayed = true;
    },
    settle(words, className) {
      outcome.textContent = words;
      outcome.className = className;
      again.hidden = false;
      settled = true;
    },
  };
}

function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties);
}
