import type { RequestFaults } from '../faults/request-faults.ts';

/** What is known about a request that has no key. */
export interface PlainContext {
  readonly user: string;
  /** Which order of the page it is about. Tells faults apart; nobody looks for it twice. */
  readonly order: string;
  readonly faults: Pick<RequestFaults, 'midway'>;
}
