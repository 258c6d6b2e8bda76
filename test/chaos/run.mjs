// npm run chaos [-- --minutes 20] [--seed N]: breaks everything while customers shop, and counts.
import { runMain } from '../tooling/run-main.mjs';

await runMain('/test/chaos/main.ts', { args: process.argv.slice(2) });
