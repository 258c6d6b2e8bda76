import { systemClock } from '@onceward/core';
import {
  type DevtoolsOptions,
  resolveDevtoolsOptions,
  type WatchableJournal,
} from './devtools-options.ts';
import { createPanel } from './panel.ts';
import { styles } from './styles.ts';
import { watchJournal } from './watch-journal.ts';

/**
 * Shows a journal in a panel of the page, in development. Returns how to take it away, which also
 * mends a network that the panel has dropped, and resumes what it has paused.
 *
 * @example
 * ```ts
 * const journal = createJournal({ store: indexedDbJournal(), scope: user.id });
 * mountDevtools({ journal }); // before the client is made
 * ```
 */
export function mountDevtools(options: DevtoolsOptions): () => void {
  // Rendered on a server, a page has no document yet.
  if (typeof document === 'undefined') return () => {};
  const resolved = resolveDevtoolsOptions(options);
  const { journal, target } = resolved;
  // A module that is loaded again, while its page stays, mounts again.
  mounted.get(journal)?.();

  const now = () => systemClock.now();
  let due = false;
  const watched = watchJournal(journal, updateSoon, now);
  const panel = createPanel(resolved, watched, now);
  const host = document.createElement('onceward-devtools');
  const root = host.attachShadow({ mode: 'open' });
  // No element of the page: a content policy may forbid those.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  root.adoptedStyleSheets = [sheet];
  root.append(panel.element);
  target.append(host);
  panel.update();
  const ticking = setInterval(() => panel.isOpen && panel.update(), 500);

  mounted.set(journal, unmount);
  return unmount;

  function unmount(): void {
    if (mounted.get(journal) !== unmount) return;
    mounted.delete(journal);
    clearInterval(ticking);
    watched.stop();
    host.remove();
  }

  /** Many changes come at once. */
  function updateSoon(): void {
    if (due) return;
    due = true;
    queueMicrotask(() => {
      due = false;
      panel.update();
    });
  }
}

const mounted = new WeakMap<WatchableJournal, () => void>();
