import type { ProbePoint } from '@onceward/server';

/** A named place in a server where it may die. */
export type ServerPoint =
  ProbePoint | 'before-auth' | 'sweeper-mid-batch' | 'before-prune' | 'reconciler-before-write';

/** Where servers die. */
const everywhere = [
  'before-auth',
  'before-reserve',
  'after-reserve',
  'before-execute',
  'after-execute',
  'before-complete',
  'after-complete',
  'before-renew',
] as const satisfies readonly ServerPoint[];

/** Where only those come that keep the records tidy. */
const inMaintenance = [
  'sweeper-mid-batch',
  'before-prune',
  'reconciler-before-write',
] as const satisfies readonly ServerPoint[];

/** The points where a server comes by. */
export function pointsOf({ maintains }: { readonly maintains: boolean }): readonly ServerPoint[] {
  // Of those who keep records tidy there are two, of the others more.
  return maintains ? [...inMaintenance, 'before-renew', ...inMaintenance] : everywhere;
}

/** Where a server dies, if it is told to: when it comes there for so many times. */
export interface Death<Point extends string = ServerPoint> {
  readonly point: Point;
  readonly time: number;
}

/** How often each is passed before it kills: some are passed a hundred times a second. */
export function deathAt(point: ServerPoint, random: () => number): Death {
  const most = rare.has(point) ? 6 : 150;
  return { point, time: 1 + Math.floor(random() * most) };
}

const rare: ReadonlySet<ServerPoint> = new Set(['before-renew', ...inMaintenance]);
