// npm start: bundles the playground and runs it.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle } from './build.mjs';

// So far there is nothing to stop.
const quit = () => process.exit(0);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, quit);
// Clients are not told where in the code an error happened.
process.env['NODE_ENV'] = 'production';
console.log('Preparing the playground …');
const programs = await bundle();
/** @type {typeof import('./src/supervisor.ts')} */
const { supervise } = await import(pathToFileURL(join(programs, 'supervisor.js')).href);
for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, quit);

await supervise({ programs, defaultData: join(import.meta.dirname, '../../.playground') });
