// What an application imports that has a journal.
export { createJournal } from '@onceward/client/urql';
export * from './urql.ts';
