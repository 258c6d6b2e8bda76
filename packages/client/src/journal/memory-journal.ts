import type { JournalRow, JournalStore } from '@onceward/core/journal';

/**
 * Keeps rows in memory: for tests, and for intents that need not outlive the page. Hand the same
 * store to two journals, and it is what two tabs share.
 */
export function memoryJournal(): JournalStore {
  const rows = new Map<number, JournalRow>();
  let lastSeq = 0;

  return {
    name: 'memory',
    durability: 'memory',

    async insert(draft) {
      const { intent, scope } = draft;
      const same = (row: JournalRow) => row.intent === intent && row.scope === scope;
      const running = intent === null ? undefined : [...rows.values()].find(same);
      if (running) return { kind: 'joined', row: running };
      const row = { ...draft, seq: ++lastSeq, rev: 1 };
      rows.set(row.seq, row);
      return { kind: 'inserted', row };
    },

    async update({ seq, rev, intent, body }) {
      const current = rows.get(seq);
      if (current?.rev !== rev) return { kind: 'stale', row: current };
      const row = { ...current, intent, body, rev: rev + 1 };
      rows.set(seq, row);
      return { kind: 'updated', row };
    },

    async remove({ seq, rev }) {
      if (rows.get(seq)?.rev !== rev) return 'stale';
      rows.delete(seq);
      return 'removed';
    },

    get: async (seq) => rows.get(seq),
    list: async (scope) => [...rows.values()].filter((row) => row.scope === scope),
    countOthers: async (scope) => [...rows.values()].filter((row) => row.scope !== scope).length,
    close: async () => {},
  };
}
