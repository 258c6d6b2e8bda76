// npm run crashes [-- --crashes 1000] [payments-with-keys]: kills servers of the payment examples
// with -9, at random, and counts what the provider charged.
import { runMain } from '../tooling/run-main.mjs';

await runMain('/test/crashes/main.ts', { args: process.argv.slice(2) });
