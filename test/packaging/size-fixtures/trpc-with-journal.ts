// What an application imports that has a journal.
export { createJournal } from '@onceward/client';
export * from './trpc.ts';
