import type { OpenJournal } from './open-journal.ts';

/**
 * Asks to be the page that delivers, or lets another be. Where there are no other tabs, it is.
 *
 *   idle ──wanted──▶ candidate ──elected──▶ reads what others have written ──▶ leads
 *    ▲                   │                                │                     │
 *    └───────────────────┴─ not wanted any more, deposed, or unable to read ────┘
 */
export function seekLead(journal: OpenJournal, wanted: boolean): void {
  const { scope, store } = journal.options;
  if (!wanted) return journal.resign?.();
  if (!store.tabs || journal.resign) return;
  let withdraw = () => {};
  const resign = () => {
    // It may be over already, and another campaign on its way.
    if (journal.resign !== resign) return;
    journal.resign = undefined;
    journal.leading = false;
    withdraw();
  };
  const takeOver = async () => {
    try {
      // Whoever led before may have changed what nobody announced.
      await journal.records.load();
      journal.leading ||= journal.resign === resign;
      journal.lookAround();
    } catch (error) {
      // Who cannot read the store lets another lead.
      resign();
      journal.unwell(error);
    }
  };
  journal.resign = resign;
  withdraw = store.tabs.campaign(scope, {
    elected: () => void takeOver(),
    deposed() {
      resign();
      journal.stir();
    },
  });
}
