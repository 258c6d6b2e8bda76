import { expect, test } from 'vitest';
import { SignIn } from './sign-in.ts';

test('however many ask for it, the user is signed in once', async () => {
  const { signIn, events, refreshes } = open();
  const { epoch } = signIn;
  signIn.reject(epoch);
  signIn.reject(epoch);
  expect(signIn.state).toBe('refreshing');
  await finish(refreshes);
  // It went out with the old sign-in, and its answer took longer.
  signIn.reject(epoch);
  expect([signIn.state, refreshes.length, events]).toEqual(['fine', 1, ['fine']]);
});

test('a sign-in that is refused at once is not repeated', async () => {
  const { signIn, events, refreshes } = open();
  signIn.reject(signIn.epoch);
  await finish(refreshes);
  signIn.reject(signIn.epoch);
  expect([signIn.state, refreshes.length]).toEqual(['needed', 1]);
  expect(events).toEqual(['fine', 'needed']);
});

test('a sign-in that was good is repeated when it has run out', async () => {
  const { signIn, refreshes } = open();
  signIn.reject(signIn.epoch);
  await finish(refreshes);
  signIn.prove(signIn.epoch);
  signIn.reject(signIn.epoch);
  expect(refreshes).toHaveLength(2);
});

test('an answer to what went out before does not prove a sign-in', async () => {
  const { signIn, events, refreshes } = open();
  const { epoch } = signIn;
  signIn.reject(epoch);
  await finish(refreshes);
  signIn.prove(epoch);
  signIn.reject(signIn.epoch);
  expect(events).toEqual(['fine', 'needed']);
});

test('when signing in fails, the application has to', async () => {
  const { signIn, events, refreshes } = open();
  signIn.reject(signIn.epoch);
  refreshes[0]?.reject(new Error('refused'));
  await turn();
  expect([signIn.state, events]).toEqual(['needed', ['needed']]);
  signIn.accept();
  expect(signIn.state).toBe('fine');
});

test('when the application was faster, what comes of signing in does not matter', async () => {
  const { signIn, events, refreshes } = open();
  signIn.reject(signIn.epoch);
  signIn.accept();
  refreshes[0]?.reject(new Error('refused'));
  await turn();
  expect([signIn.state, events]).toEqual(['fine', []]);
});

test('without a way to sign in, the application is asked', () => {
  const events: string[] = [];
  const signIn = new SignIn(undefined, (state) => events.push(state));
  signIn.reject(signIn.epoch);
  expect(events).toEqual(['needed']);
});

interface Refresh {
  resolve(this: void): void;
  reject(this: void, error: Error): void;
}

function open() {
  const events: string[] = [];
  const refreshes: Refresh[] = [];
  const refresh = () =>
    new Promise<void>((resolve, reject) => void refreshes.push({ resolve, reject }));
  return { signIn: new SignIn(refresh, (state) => events.push(state)), events, refreshes };
}

async function finish(refreshes: readonly Refresh[]): Promise<void> {
  refreshes.at(-1)?.resolve();
  await turn();
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
