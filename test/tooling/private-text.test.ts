import { expect, test } from 'vitest';
import { machinePatterns, privateText } from './private-text.mjs';

const patterns = machinePatterns({
  root: '/srv/clone',
  home: '/var/ada',
  registry: 'https://packages.example:8080/npm/',
});

test.for([
  ['import "/srv/clone/packages/core"', '/srv/clone/packages'],
  ['see /var/ada/notes', '/var/ada/notes'],
  [`at file:///${'home'}/grace/src/index.ts`, `/${'home'}/grace/`],
  [`"resolved": "https://${'registry'}.npmjs.org/a.tgz"`, `https://${'registry'}.npmjs.org`],
  ['//packages.example:8080/npm/:_authToken=1', 'packages.example:8080'],
])('%s is private', ([text, found]) => {
  expect(privateText(`\n${text}\n`, patterns)).toEqual([`2: ${found}`]);
});

test.for([
  'a clone under a private folder such as /root',
  'https://example.com/srv/clone',
  'the home page at /home',
  'const registry = new Map()',
])('%s is not', (text) => {
  expect(privateText(text, patterns)).toEqual([]);
});
