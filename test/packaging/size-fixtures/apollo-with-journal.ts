// What an application imports that has a journal.
export { createJournal } from '@onceward/client/apollo';
export * from './apollo.ts';
