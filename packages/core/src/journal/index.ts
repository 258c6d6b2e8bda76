export type {
  JournalDraft,
  JournalDurability,
  JournalInsertion,
  JournalRow,
  JournalStore,
  JournalUpdate,
} from './journal-store.ts';
export type { CampaignEvents, RowChange, Tabs } from './tabs.ts';
