import type { IdempotencyKey } from '@onceward/core';
import type { SettledIntent } from './customers-process.ts';
import type { LedgerLine } from './device-ledger.ts';
import type { DevicePoint } from './device-points.ts';

/** What a device's ledger says about each of its intents. */
export function intentsOf(lines: readonly LedgerLine[], tenant: string): SettledIntent[] {
  const intents = new Map<string, Found>();
  let healed = false;
  for (const line of lines) {
    if (line.kind === 'healed') healed = true;
    if (line.kind === 'submitting') intents.set(line.id, newlyFound(line, tenant));
    const intent = 'id' in line ? intents.get(line.id) : undefined;
    if (!intent) continue;
    if (line.kind === 'persisted') intent.onDevice.persisted = true;
    if (line.kind === 'sent') intent.onDevice.keys.add(line.key);
    if (line.kind !== 'told') continue;
    intent.acknowledged ||= !healed && line.answer !== null;
    if (line.answer === null) intent.refused = true;
    else if (!intent.answers.includes(line.answer)) intent.answers.push(line.answer);
  }
  return [...intents.values()];
}

/** How often a device came to each point. */
export function pointsIn(lines: readonly LedgerLine[]): Partial<Record<DevicePoint, number>> {
  const counts: Partial<Record<DevicePoint, number>> = {};
  for (const line of lines) {
    if (line.kind === 'came') counts[line.point] = (counts[line.point] ?? 0) + 1;
  }
  return counts;
}

type Found = SettledIntent & {
  acknowledged: boolean;
  readonly onDevice: { persisted: boolean; readonly keys: Set<IdempotencyKey> };
};

function newlyFound(
  { id, form }: Extract<LedgerLine, { kind: 'submitting' }>,
  tenant: string,
): Found {
  return {
    ...{ tenant, form, key: id as IdempotencyKey, cents: 0, deviceClock: 'right', answers: [] },
    ...{ askedOther: false, answeredOther: false, oldCookie: false, refused: false },
    ...{ acknowledged: false, stuckAt: undefined },
    onDevice: { persisted: false, keys: new Set() },
  };
}
