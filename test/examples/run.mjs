// npm start in an example: runs `main` of its src/main.ts, on the sources of our packages.
import { defaultServerConditions } from 'vite';
import { runMain } from '../tooling/run-main.mjs';

await runMain('/src/main.ts', {
  root: process.cwd(),
  // Other packages are loaded as Node.js does it, which knows no condition `module`.
  conditions: defaultServerConditions.filter((condition) => condition !== 'module'),
});
