import { isSettled } from '../journal/journal-record.ts';
import { systemNetwork } from '../journal/network.ts';
import type { ResolvedDevtoolsOptions } from './devtools-options.ts';
import { button, element, setText } from './element.ts';
import { createIntentRow, type IntentRow } from './intent-row.ts';
import { retryNow } from './retry-now.ts';
import type { WatchedJournal } from './watch-journal.ts';
import type { Situation } from './why-waiting.ts';

/** What is seen: a button in a corner, and what it opens. */
export interface Panel {
  readonly element: HTMLElement;
  readonly isOpen: boolean;
  /** Shows everything as it is now. */
  update(): void;
}

export function createPanel(
  { journal, corner, open }: ResolvedDevtoolsOptions,
  watched: WatchedJournal,
  now: () => number,
): Panel {
  let isOpen = open;
  const rows = new Map<string, IntentRow>();
  const toggle = button('', () => show(!isOpen));
  toggle.className = 'toggle';
  toggle.setAttribute('aria-controls', 'panel');

  const pause = button('', () => (watched.paused ? journal.resume() : watched.pause()));
  const drop = button('', dropOrMend);
  const retry = button('Retry all now', () => retryNow(journal, journal.records()));
  const clear = button('Clear what has ended', () => {
    watched.log.forgetEnded();
    update();
  });
  const controls = element('div', { class: 'buttons', role: 'group', 'aria-label': 'Journal' }, [
    pause,
    drop,
    retry,
    clear,
  ]);
  const notice = element('p', { class: 'notice', role: 'status' });
  const list = element('ol', { class: 'intents', 'aria-label': 'Intents, newest first' });
  const damaged = element('p', { class: 'damaged' });
  const panel = element('div', { id: 'panel', class: 'panel' }, [controls, notice, list, damaged]);
  panel.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    show(false);
    toggle.focus();
  });
  const whole = element('aside', { 'aria-label': 'onceward devtools', class: corner }, [
    panel,
    toggle,
  ]);

  return {
    element: whole,
    get isOpen() {
      return isOpen;
    },
    update,
  };

  function show(value: boolean): void {
    isOpen = value;
    update();
  }

  function dropOrMend(): void {
    const { network, paused } = watched;
    if (!network.dropped) network.drop();
    else {
      network.mend();
      // As when a browser comes back online: what failed for want of a network waits no longer.
      if (!paused) journal.resume();
    }
    update();
  }

  function update(): void {
    const { network, paused } = watched;
    const records = journal.records();
    const open = records.filter((record) => !isSettled(record)).length;
    // Said also while it is closed: nobody should look for a fault that they have made.
    const flags = [network.dropped && 'network dropped', paused && 'paused'].filter(Boolean);
    setText(toggle, [`onceward: ${open} pending`, ...flags].join(', '));
    toggle.toggleAttribute('data-alert', flags.length > 0);
    toggle.setAttribute('aria-expanded', String(isOpen));
    panel.hidden = !isOpen;
    if (!isOpen) return;

    setText(pause, paused ? 'Resume' : 'Pause');
    setText(drop, network.dropped ? 'Mend the network' : 'Drop the network');
    retry.disabled = paused || !records.some(({ state }) => state === 'waiting');
    setText(notice, noticeWords(network.dropped, paused));
    notice.hidden = notice.textContent === '';
    const online = systemNetwork.online();
    updateRows({ now: now(), paused, online, records });
    const { length } = journal.quarantined();
    damaged.hidden = length === 0;
    setText(damaged, length === 0 ? '' : damagedWords());
  }

  function updateRows(situation: Situation): void {
    const intents = watched.log.intents();
    const ids = new Set(intents.map(({ record }) => record.id));
    for (const [id, row] of rows) {
      if (ids.has(id)) continue;
      row.element.remove();
      rows.delete(id);
    }
    for (const [index, intent] of intents.entries()) {
      const { id } = intent.record;
      const row = rows.get(id) ?? createIntentRow(journal, intent);
      rows.set(id, row);
      row.update(intent, situation);
      // What is moved loses the focus, so only what is in the wrong place is.
      if (list.children[index] !== row.element) {
        list.insertBefore(row.element, list.children[index] ?? null);
      }
    }
  }

  function damagedWords(): string {
    const rows = journal.quarantined().map(({ seq, problem }) => `row ${seq} (${problem})`);
    return `Set aside, kept and never sent: ${rows.join(', ')}.`;
  }
}

function noticeWords(dropped: boolean, paused: boolean): string {
  return [
    ...(dropped
      ? ['The network is dropped: whatever this tab sends fails, until you mend it.']
      : []),
    ...(paused ? ['Paused: this tab sends nothing, another may.'] : []),
  ].join(' ');
}
