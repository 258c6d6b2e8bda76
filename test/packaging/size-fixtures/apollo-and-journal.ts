// What an application imports that has a journal, and does not use it here.
export { createJournal } from '@onceward/client';
export * from './apollo.ts';
