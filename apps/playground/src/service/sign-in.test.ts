import { expect, test } from 'vitest';
import { demoOperator } from './sign-in.ts';

test.for(['localhost:4000', 'localhost', '127.0.0.1:4000', '[::1]:4000', '192.168.0.7'])(
  'under %s everybody is the operator of the demo',
  (host) => {
    expect(demoOperator({ headers: new Headers({ host }) })).toMatchObject({
      name: 'demo operator',
    });
  },
);

test.for([
  'evil.example:4000',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'a@localhost',
  '',
])('under %s, which anybody can point at this machine, nobody is', (host) => {
  expect(demoOperator({ headers: new Headers({ host }) })).toBeNull();
});
