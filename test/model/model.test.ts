import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkConfiguration, missingTool } from './check-configuration.mjs';
import { configurations } from './configurations.mjs';

const missing = await missingTool();
if (missing) console.log(`The model is not checked: there is no ${missing} here.`);

/** All of them are checked by `npm run test:model`; one after the other they take half a minute. */
const quick = ['A1', 'A3', 'S4', 'E1', 'E3', 'E8', 'R3', 'R5', 'J1', 'J5', 'J6'];
const chosen = configurations.filter(({ id }) => quick.includes(id));

describe.skipIf(missing !== undefined)('the model', () => {
  test.for(chosen)('$id $what: $expected', { timeout: 120_000 }, async (configuration) => {
    const { verdict } = await checkConfiguration(configuration);
    expect(verdict).toBe(configuration.expected);
  });
});

test('every mistake of the model has a configuration', () => {
  for (const model of ['server-key.pml', 'client-journal.pml']) {
    const text = readFileSync(new URL(model, import.meta.url), 'utf8');
    const mistakes = /Mistakes \(each must be found\): ([^.]*)\./.exec(text)?.[1] ?? '';
    const listed = mistakes.match(/[A-Z]{2,}(_[A-Z]+)+/g) ?? [];
    const found = configurations
      .filter((each) => each.model === model && !['holds', 'reached'].includes(each.expected))
      .flatMap(({ switches }) => switches.split(/[ =]/));
    expect(listed.filter((mistake) => !found.includes(mistake))).toEqual([]);
    expect(listed.length).toBeGreaterThan(4);
  }
});
