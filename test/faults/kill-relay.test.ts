import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleProgram, killNow } from '../support/node-process.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { openOffice } from './open-office.ts';

/** Where a relay is killed is left to chance here; crash-matrix.test.ts kills it at named points. */
test('relays that die at random lose nothing, repeat nothing and keep the order', async () => {
  using relays = await bundleProgram(join(import.meta.dirname, 'relay-process.ts'));
  await using office = await openOffice('transaction', relays);
  const lanes = Array.from({ length: 12 }, (_, lane) => `lane ${lane}`);
  const parcels = Array.from({ length: 15 }, (_, parcel) => parcel);
  const seed = Number(process.env['ONCEWARD_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  const random = seededRandom(seed);

  const crashing = crashAtRandom(office, random);
  await Promise.all(
    lanes.map(async (lane) => {
      for (const parcel of parcels) await office.ship(lane, parcel);
    }),
  );
  await crashing;
  await office.finish();
  for (const lane of lanes) {
    expect(await office.parcels(lane), `ONCEWARD_SEED=${seed}, ${lane}`).toEqual(parcels);
  }
  // Else nothing died in the middle of anything, and nothing was shown.
  expect(await office.attempts()).toBeGreaterThan(lanes.length * parcels.length);
}, 90_000);

/** Two relays at a time, of which one is killed every now and then, and replaced. */
async function crashAtRandom(
  office: Awaited<ReturnType<typeof openOffice>>,
  random: () => number,
): Promise<void> {
  const running = [await office.start(), await office.start()];
  for (let crash = 0; crash < 8; crash++) {
    await new Promise((resolve) => setTimeout(resolve, random() * 200));
    const [victim] = running.splice(random() < 0.5 ? 0 : 1, 1);
    if (victim) await killNow(victim);
    running.push(await office.start());
  }
  await Promise.all(running.map(killNow));
}
