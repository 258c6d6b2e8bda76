import { DeliveryError, JournalError } from '@onceward/client';
import { type DevicePlatform, openJournalDevice, status } from './journal-device.ts';

/** Takes a journal through what happens to an app, and reports what came out as plain JSON. */
export async function exerciseAppJournal(platform: DevicePlatform = {}) {
  return {
    restart: await restart(platform),
    killed: await killed(platform),
    lanes: await lanes(platform),
    cancelled: await cancelled(platform),
    signedIn: await signedIn(platform),
    signedOut: await signedOut(platform),
    quarantined: await quarantined(platform),
    expired: await expired(platform),
    refused: await refused(platform),
  };
}

/** Of what journals can do without, what this engine does not have. */
export function missingGlobals(): string[] {
  return dispensable.filter((name) => !(name in globalThis));
}

export const dispensable = [
  'crypto',
  'structuredClone',
  'AbortController',
  'TextEncoder',
  'fetch',
  'URL',
  'queueMicrotask',
];

/** Submitted offline, sent after a restart, through an outage and a lost answer. */
async function restart(platform: DevicePlatform) {
  const device = openJournalDevice(platform);
  device.setOnline(false);
  const { record } = await device.start().pay(100);
  await device.clock.advance(minute);
  const seenOffline = device.seen.length;

  device.fates.push(status(503, { 'retry-after': '7' }), 'answer-lost');
  const { journal, waits } = device.start();
  const answers: unknown[] = [];
  journal.onSettled('pay', (settled) => {
    answers.push(settled.kind === 'succeeded' ? settled.result : String(settled.error));
  });
  await device.clock.advance(0);
  const found = journal.records().map(({ state, attempts }) => ({ state, attempts }));
  device.setOnline(true);
  await device.clock.advance(minute);
  return {
    seenOffline,
    found,
    waits,
    answers,
    paid: device.paid,
    sameKey: device.seen.length === 2 && device.seen.every(({ key }) => key === record.key),
    rowsLeft: (await device.store.list('alice')).length,
    timersLeft: device.clock.pending(),
  };
}

/** Killed while it was sending: nobody knows whether it arrived, until it is sent again. */
async function killed(platform: DevicePlatform) {
  const device = openJournalDevice(platform);
  device.fates.push('hang');
  const { record } = await device.start().pay(100);
  await device.clock.advance(0);
  const { journal } = device.start();
  await device.clock.advance(0);
  await journal.drain();
  const keys = device.seen.map(({ key }) => key === record.key);
  return { keys, paid: device.paid };
}

/** One after the other in a lane, whatever happens to the first; other lanes do not wait. */
async function lanes(platform: DevicePlatform) {
  const device = openJournalDevice(platform);
  const { pay } = device.start();
  device.fates.push(status(503));
  for (const cents of [1, 2, 3]) await pay(cents, { lane: 'rent' });
  await pay(9, { lane: 'food' });
  await device.clock.advance(minute);
  return device.paid;
}

async function cancelled(platform: DevicePlatform) {
  const device = openJournalDevice(platform);
  const { pay, journal } = device.start();
  device.setOnline(false);
  const unsent = await pay(1);
  const beforeSending = await unsent.cancel();

  device.setOnline(true);
  device.fates.push('hang');
  const sent = await pay(2);
  await device.clock.advance(0);
  const whileSending = await sent.cancel();

  const done = await pay(3);
  await done.settled;
  const afterwards = await done.cancel();
  await device.clock.advance(minute);
  return {
    beforeSending,
    whileSending,
    afterwards,
    errors: [await unsent.settled.catch(described), await sent.settled.catch(described)],
    paid: device.paid,
    sent: device.seen.length,
    recordsLeft: journal.records().length,
  };
}

/** Two are asked to sign in; the app does so once, and neither is charged an attempt. */
async function signedIn(platform: DevicePlatform) {
  const device = openJournalDevice(platform);
  let refreshes = 0;
  const { pay, journal } = device.start({ refresh: async () => void refreshes++ });
  const attempts: number[] = [];
  journal.onSettled('pay', ({ record }) => void attempts.push(record.attempts));
  device.fates.push(status(401), status(401));
  device.setOnline(false);
  const submitted = [await pay(1), await pay(2)];
  device.setOnline(true);
  await device.clock.advance(minute);
  const keys = submitted.map(({ record }) => record.key as string);
  const sameKeys = device.seen.every(({ key }) => keys.includes(key));
  return { refreshes, paid: device.paid, attempts, sameKeys };
}

/** Where signing in again does not help, all is kept until the user has done so. */
async function signedOut(platform: DevicePlatform) {
  const device = openJournalDevice(platform);
  const refresh = () => Promise.reject(new Error('the session is over'));
  const { pay, journal, events } = device.start({ refresh });
  device.fates.push(status(401));
  await pay(1);
  await device.clock.advance(minute);
  const kept = journal.records().map(({ state, reason }) => ({ state, reason }));
  const paidBefore = [...device.paid];
  journal.resume();
  await device.clock.advance(minute);
  return { events: events.map(({ kind }) => kind), kept, paidBefore, paid: device.paid };
}

/** What cannot be read is kept and never sent, and is in nobody's way. */
async function quarantined(platform: DevicePlatform) {
  const device = openJournalDevice(platform);
  for (const body of ['1:abc:{"operation":"pay"}', '2:abc:{}', 'nothing we wrote']) {
    await device.store.insert({ scope: 'alice', intent: null, body });
  }
  const { pay, journal, events } = device.start();
  await pay(1);
  await device.clock.advance(minute);
  return {
    problems: journal.quarantined().map(({ problem }) => problem),
    events: events.map(({ kind }) => kind),
    paid: device.paid,
    rowsLeft: (await device.store.list('alice')).length,
  };
}

/** Two days later: what was never sent gets a new key; what was sent is for the app to decide. */
async function expired(platform: DevicePlatform) {
  const device = openJournalDevice(platform);
  device.fates.push('hang');
  const first = device.start();
  const sent = await first.pay(1);
  await device.clock.advance(0);
  device.setOnline(false);
  const unsent = await first.pay(2);

  device.clock.jump(2 * 24 * 60 * minute);
  device.setOnline(true);
  const { journal } = device.start();
  await device.clock.advance(minute);
  const unresolved = journal.records().filter(({ state }) => state === 'unresolved');
  const newKey = device.seen.find(({ cents }) => cents === 2)?.key !== unsent.record.key;
  const paidBefore = [...device.paid];
  await journal.resolve(sent.record.id, 'executed');
  await device.clock.advance(minute);
  return {
    unresolved: unresolved.map(({ id, reason }) => ({ same: id === sent.record.id, reason })),
    newKey,
    paidBefore,
    paid: device.paid,
  };
}

/** An intent that cannot be written down is not sent. */
async function refused(platform: DevicePlatform) {
  const device = openJournalDevice(platform);
  const { pay, journal } = device.start({ maxRecords: 2 });
  device.setOnline(false);
  await pay(1, { intent: 'rent' });
  const { joined } = await pay(1, { intent: 'rent' });
  const conflict = await pay(2, { intent: 'rent' }).catch(described);
  await pay(3);
  const full = await pay(4).catch(described);
  journal.close();
  const closed = await pay(5).catch(described);
  return { joined, conflict, full, closed, sent: device.seen.length };
}

function described(error: unknown) {
  const isError = error instanceof Error;
  if (DeliveryError.is(error)) {
    return { name: error.name, reason: error.reason, execution: error.execution, isError };
  }
  return JournalError.is(error)
    ? { name: error.name, reason: error.reason, isError }
    : String(error);
}

const minute = 60_000;
