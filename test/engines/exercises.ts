import { exerciseClient } from './exercise-client.ts';
import { exerciseCore } from './exercise-core.ts';
import { exerciseJournal, missingGlobals } from './exercise-journal.ts';

const exercises = { exerciseClient, exerciseCore, exerciseJournal, missingGlobals };
export type Exercises = typeof exercises;

// A bundle of Metro exports nothing.
Object.assign(globalThis, { onceward: exercises });
