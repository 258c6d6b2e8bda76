import { describeJournalStore } from '@onceward/conformance';
import { describe, expect, test } from 'vitest';
import { memoryJournal } from './memory-journal.ts';

describe('the memory journal', () => {
  describeJournalStore({ describe, test }, async () => ({
    store: memoryJournal(),
    async [Symbol.asyncDispose]() {},
  }));

  test('says that it keeps nothing', () => {
    expect(memoryJournal()).toMatchObject({ name: 'memory', durability: 'memory' });
  });
});
