// npm run compare: what becomes of a mutation in other libraries, and in this one.
import { runMain } from '../tooling/run-main.mjs';

await runMain('/test/compare/main.ts');
