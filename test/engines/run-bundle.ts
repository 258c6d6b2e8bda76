import type { BareEngine } from './bare-engine.ts';
import { dispensable } from './exercise-app-journal.ts';

/**
 * Evaluates an expression after a bundle, in an engine that has lost what it may have had. There it
 * finds `random`, which is not random at all, and `now`, which stands still.
 */
export async function runBundle(
  bundle: string,
  expression: string,
  { run }: BareEngine,
): Promise<unknown> {
  const printed = await run(`
    ${JSON.stringify(dispensable)}.forEach(function (name) { delete globalThis[name]; });
    ${bundle}
    var next = 0;
    function random(bytes) { for (var i = 0; i < bytes.length; i++) bytes[i] = next++ & 255; return bytes; }
    function now() { return ${Date.UTC(2026, 0, 1)}; }
    Promise.resolve().then(function () { return ${expression}; }).then(
      function (report) { print(JSON.stringify(report)); },
      function (error) { print(JSON.stringify({ error: error.message, stack: error.stack })); });
  `);
  return JSON.parse(printed);
}
