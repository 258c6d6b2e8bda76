// A process that writes to a journal in a folder until it is killed.
import { fileJournal } from '@onceward/client/node';

process.on('message', ({ folder }: { folder: string }) => void write(folder));

async function write(folder: string): Promise<void> {
  const store = fileJournal({ folder });
  for (;;) {
    const { row } = await store.insert({ scope: 'alice', intent: null, body: 'queued' });
    process.send?.({ inserted: row.seq });
    const update = await store.update({ ...row, body: 'sent' });
    process.send?.({ updated: row.seq });
    if (row.seq % 2 !== 0) continue;
    await store.remove(update.row ?? row);
    process.send?.({ removed: row.seq });
  }
}
