import { pick } from '../support/seeded-random.ts';
import { deathAt, pointsOf, type ServerPoint } from './failpoints.ts';
import type { ServerSlot } from './server-slot.ts';
import { quietFor, type Trouble } from './trouble.ts';

/**
 * Servers die, at a failpoint or at any moment, and are replaced. Until then they suffer. The number
 * of the slot says which point is first: so all of them have their turn soon.
 */
export async function breakServer(
  slot: ServerSlot,
  trouble: Trouble,
  { number }: { readonly number: number },
): Promise<void> {
  const { random, over, count } = trouble;
  const points = pointsOf(slot);
  let turn = 2 * number;
  let point: ServerPoint | undefined;
  // The first ones die soon: they have no point to die at.
  let lifeMs = random() * 10_000;
  while (!over()) {
    const life = new AbortController();
    const suffering = suffer(slot, trouble, life.signal);
    const diedByItself = await slot.died(lifeMs);
    lifeMs = 8_000 + random() * 12_000;
    life.abort();
    await suffering;
    if (over() && !diedByItself) return;
    await slot.kill();
    count(diedByItself && point ? `server: killed ${point}` : 'server: killed at any moment');
    // In turn: by chance alone, some would hardly ever have theirs.
    point = random() < 0.8 ? points[turn++ % points.length] : undefined;
    await slot.start(point && deathAt(point, random));
  }
}

/** Its clock jumps, its pool runs out of connections, it stands still; one after the other. */
async function suffer(
  slot: ServerSlot,
  { random, over, count }: Trouble,
  dead: AbortSignal,
): Promise<void> {
  const done = () => over() || dead.aborted;
  while (!(await quietFor(1_000 + random() * 3_000, done))) {
    const dice = random();
    if (dice < 0.6) {
      slot.trouble({ clockOffsetMs: random() < 0.7 ? 0 : pick(offsetsMs, random) });
      count('server: its clock jumps');
    } else if (dice < 0.85) {
      slot.trouble({ exhaustPoolMs: 300 + random() * 1_200 });
      count('server: its pool is exhausted');
    } else {
      slot.signal('SIGSTOP');
      count('server: stands still');
      await quietFor(500 + random() * 2_000, done);
      slot.signal('SIGCONT');
    }
  }
}

const hourMs = 3_600_000;
const offsetsMs = [-6 * hourMs, -600_000, -60_000, 60_000, 600_000, 6 * hourMs];
