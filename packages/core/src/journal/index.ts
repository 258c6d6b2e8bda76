export type {
  JournalDraft,
  JournalDurability,
  JournalInsertion,
  JournalRow,
  JournalStore,
  JournalUpdate,
} from './journal-store.ts';
export type { CampaignEvents, Tabs } from './tabs.ts';
