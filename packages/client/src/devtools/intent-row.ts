import { isLive } from '../journal/journal-record.ts';
import { attemptLines, clockTime } from './attempt-lines.ts';
import type { WatchableJournal } from './devtools-options.ts';
import { durationWords } from './duration-words.ts';
import { button, element, setText } from './element.ts';
import { reasonWords } from './end-words.ts';
import { createHiddenText } from './hidden-text.ts';
import type { LoggedIntent } from './intent-log.ts';
import { retryNow } from './retry-now.ts';
import { shortKey } from './short-key.ts';
import { type Situation, type Wait, whyWaiting } from './why-waiting.ts';

/** One intent of the list. Its elements stay, so that the focus does. */
export interface IntentRow {
  readonly element: HTMLElement;
  update(intent: LoggedIntent, situation: Situation): void;
}

export function createIntentRow(journal: WatchableJournal, first: LoggedIntent): IntentRow {
  const { id, operation } = first.record;
  let current = first;
  const key = element('code');
  const state = element('span', { class: 'state' });
  const why = element('span', { class: 'why' });
  const summary = element('summary', {}, [
    element('strong', {}, [operation]),
    ' ',
    key,
    ' ',
    state,
    ' ',
    why,
  ]);
  const facts = element('p', { class: 'facts' });
  const attempts = element('ol', { class: 'attempts' });
  const input = createHiddenText('input');
  const answer = createHiddenText('answer');
  const actions = [
    action('Retry now', 'waiting', () => retryNow(journal, [current.record])),
    action('Cancel', 'live', () => journal.cancel(id)),
    action('It took effect', 'unresolved', () => journal.resolve(id, 'executed')),
    action('It did not: send again', 'unresolved', () => journal.resolve(id, 'send-again')),
    action('Discard', 'unresolved', () => journal.resolve(id, 'discard')),
  ];
  const buttons = element(
    'p',
    { class: 'buttons' },
    actions.map((each) => each.element),
  );
  const details = [facts, attempts, buttons, input.element, answer.element];

  return {
    element: element('li', {}, [element('details', {}, [summary, ...details])]),
    update(intent, situation) {
      current = intent;
      const { record } = intent;
      setText(key, shortKey(record.key));
      setText(state, intent.kept || !isLive(record) ? record.state : 'gone');
      state.setAttribute('data-state', record.state);
      setText(why, whyWords(intent, situation));
      setText(facts, factsOf(intent));
      attempts.replaceChildren(...attemptLines(intent.attempts, situation.now));
      for (const each of actions) each.update(intent, situation);
      input.update(record.input);
      answer.update(record.answer);
    },
  };
}

type When = 'waiting' | 'live' | 'unresolved';

/** A button that is there while it can do something. */
function action(text: string, when: When, pressed: () => unknown) {
  // The journal itself says what has become of the intent, also when it was too late.
  const made = button(text, () => void Promise.resolve(pressed()).catch(() => {}));
  return {
    element: made,
    update({ record, kept }: LoggedIntent, { paused }: Situation) {
      const fits =
        when === 'live' ? isLive(record) : record.state === when && !(when === 'waiting' && paused);
      made.hidden = !(kept && fits);
    },
  };
}

function whyWords(intent: LoggedIntent, situation: Situation): string {
  const { record, attempts } = intent;
  const wait = whyWaiting(intent, situation);
  if (wait) return waitWords(wait, situation.now);
  if (record.state === 'sending') return `attempt ${record.attempts}`;
  const count = attempts.length > 0 ? `after ${Math.max(1, record.attempts)} attempt(s)` : '';
  return [record.reason && reasonWords[record.reason], count].filter(Boolean).join(', ');
}

function waitWords({ why, untilAt }: Wait, now: number): string {
  if (untilAt === undefined) return why;
  return `${why}: again in ${durationWords(untilAt - now)}, at ${clockTime(untilAt)}`;
}

function factsOf({ record, kept }: LoggedIntent): string {
  const { channel, lane, key, createdAt, settledAt } = record;
  return [
    `key ${key}`,
    `by ${channel}`,
    lane === null ? 'in no lane' : `in lane ${lane}`,
    `since ${clockTime(createdAt)}`,
    ...(settledAt === undefined ? [] : [`settled at ${clockTime(settledAt)}`]),
    ...(kept ? [] : ['no longer in the journal']),
  ].join(', ');
}
