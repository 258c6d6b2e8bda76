import { describe } from 'vitest';
import type { Admin, AtomicDriver } from './atomic-driver.ts';
import { describeBrokenConnections } from './broken-connections.ts';
import { describeCommitting } from './committing.ts';
import { describeHandlerMistakes } from './handler-mistakes.ts';
import { describeHeldOpen } from './held-open.ts';
import { describeRoundTrips } from './round-trips.ts';
import { describeValues } from './values.ts';

/**
 * What every library must make of an atomic mutation: the key and the effect exist together, or
 * neither does, whatever the handler, the connection and the server do.
 *
 * An embedded database leaves out what needs a wire, or a second transaction beside the first.
 */
export function describeAtomicDriver(driver: AtomicDriver, admin: Admin): void {
  describe('an atomic mutation', () => describeCommitting(driver, admin));
  describe('values, whatever the library makes of types', () => describeValues(driver, admin));
  describe('a handler that makes a mistake', () => describeHandlerMistakes(driver, admin));
  const { roundTrips } = driver;
  if (roundTrips === 'embedded') return;
  describe('an atomic mutation among others', () => describeHeldOpen(driver, admin));
  describe('a connection', () => describeBrokenConnections(driver, admin));
  describe('round trips', () => describeRoundTrips(driver, admin));
}
