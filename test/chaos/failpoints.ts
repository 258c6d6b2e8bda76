import type { ProbePoint } from '@onceward/server';

/** A named place in a server where it may die. */
export type Failpoint =
  ProbePoint | 'before-auth' | 'before-sweep' | 'before-prune' | 'before-settle';

/** Where servers die. */
export const failpoints = [
  'before-auth',
  'before-reserve',
  'after-reserve',
  'before-execute',
  'after-execute',
  'before-complete',
  'after-complete',
  'before-renew',
  'before-sweep',
  'before-prune',
  'before-settle',
] as const satisfies readonly Failpoint[];

/** Where a server dies, if it is told to: when it comes there for so many times. */
export interface Death {
  readonly point: Failpoint;
  readonly time: number;
}

/** How often each is passed before it kills: some are passed a hundred times a second. */
export function deathAt(point: Failpoint, random: () => number): Death {
  const most = rare.has(point) ? 5 : 200;
  return { point, time: 1 + Math.floor(random() * most) };
}

const rare: ReadonlySet<Failpoint> = new Set([
  'before-renew',
  'before-sweep',
  'before-prune',
  'before-settle',
]);
