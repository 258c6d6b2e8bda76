import { callable } from '../check-option.ts';
import type { Journal } from '../journal/journal.ts';

/** What of a journal the panel looks at, and what its buttons do. */
export type WatchableJournal = Pick<
  Journal,
  | 'cancel'
  | 'connect'
  | 'mintKey'
  | 'pause'
  | 'quarantined'
  | 'records'
  | 'resolve'
  | 'resume'
  | 'submit'
  | 'subscribe'
>;

/** Which journal to show, and where. */
export interface DevtoolsOptions {
  /** Mount the panel before the client is made, so that it sees every attempt of this page. */
  journal: WatchableJournal;
  /** What the panel is put into. @defaultValue the body of the page */
  target?: HTMLElement | undefined;
  /** Where its button is. @defaultValue `'bottom-right'` */
  corner?: 'bottom-right' | 'bottom-left' | undefined;
  /** Whether it is open at first. @defaultValue `false` */
  open?: boolean | undefined;
}

/** `DevtoolsOptions` after `resolveDevtoolsOptions`: complete and checked. */
export type ResolvedDevtoolsOptions = {
  readonly [Name in keyof DevtoolsOptions]-?: NonNullable<DevtoolsOptions[Name]>;
};

/** Fills in and checks, once. Asks for the body of the page only here: a server has none. */
export function resolveDevtoolsOptions(options: DevtoolsOptions): ResolvedDevtoolsOptions {
  const { journal, corner = 'bottom-right' } = options;
  callable('journal.records', (journal as Partial<WatchableJournal> | undefined)?.records);
  if (corner !== 'bottom-right' && corner !== 'bottom-left') {
    throw new TypeError('Expected `corner` to be bottom-right or bottom-left');
  }
  const target = options.target ?? document.body;
  if (!(target instanceof HTMLElement)) {
    throw new TypeError('Expected `target` to be an element of the page');
  }
  return { journal, corner, target, open: options.open ?? false };
}
