import type { Findings } from '../findings.ts';
import type { PeerEntry } from './peer.ts';

/** What became of mutations in unpleasant moments, by the name of a check. */
export type Safety = Readonly<Record<string, string>>;

/** The moments that are shown beside the speed, as docs/compared.md calls them. */
const checks = ['crash', 'store down', 'reordered JSON', 'second user', 'empty answer'];

/** Speed and safety of each library in one row, because neither says anything alone. */
export function besideSpeed(
  entries: readonly PeerEntry[],
  figures: Findings['figures'],
  compared: ReadonlyMap<string, Safety>,
): readonly (readonly string[])[] {
  const say = (name: string) => figures[name]?.median.toFixed(2) ?? '1';
  return [
    ['library', 'new keys', 'replays', 'executed twice, of 140', ...checks],
    ...entries.map(({ name, library }) => [
      library,
      say(`peers.${name}.fresh.64`),
      say(`peers.${name}.replay.64`),
      String(figures[`peers.${name}.double_executions`]?.median ?? ''),
      ...checks.map((check) => compared.get(library)?.[check] ?? 'not compared'),
    ]),
  ];
}

/** By library: what `npm run compare` has written down, which takes longer than to measure speed. */
export function readSafety(document: string): ReadonlyMap<string, Safety> {
  const lines = document.split('\n').filter((line) => line.startsWith('|'));
  const [head = [], , ...rows] = lines.map((line) => line.split('|').slice(1, -1).map(trim));
  const libraries = head.slice(1);
  return new Map(
    libraries.map((library, column) => {
      const cells = rows.map(([check = '', ...found]) => [check, found[column] ?? '']);
      return [library, Object.fromEntries(cells) as Safety];
    }),
  );
}

function trim(cell: string): string {
  return cell.trim();
}
