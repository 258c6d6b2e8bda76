import { exerciseAppJournal, missingGlobals } from './exercise-app-journal.ts';
import { exerciseClient } from './exercise-client.ts';
import { exerciseCore } from './exercise-core.ts';
import { exerciseKeyValue, exerciseKeyValueApp } from './exercise-key-value.ts';

// A bundle of Metro exports nothing.
Object.assign(globalThis, {
  onceward: {
    exerciseAppJournal,
    exerciseClient,
    exerciseCore,
    exerciseKeyValue,
    exerciseKeyValueApp,
    missingGlobals,
  },
});
