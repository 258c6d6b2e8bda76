import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rate } from '../findings.ts';
import { barPlot } from './bar-plot.ts';
import { linePlot } from './line-plot.ts';

/** Writes a drawing for everything that was measured per second; answers with their names. */
export function writePlots(rates: readonly Rate[], folder: string): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const plots = plotsOf(rates);
  for (const [name, svg] of Object.entries(plots)) writeFileSync(join(folder, name), svg);
  return Object.keys(plots);
}

/** By the names of their files. */
export function plotsOf(rates: readonly Rate[]): Readonly<Record<string, string>> {
  const plots: Record<string, string> = {};
  for (const [race, ran] of byRace(rates)) {
    if (new Set(ran.map(({ concurrency }) => concurrency)).size < 2) continue;
    plots[`${race.replaceAll('.', '-')}.svg`] = linePlot({
      title: titles[race] ?? race,
      subtitle: 'Mutations per second, by how many are under way',
      lines: [...new Set(ran.map(({ contestant }) => contestant))].map((contestant) => ({
        contestant,
        label: labelOf(race, contestant),
        points: ran
          .filter((rate) => rate.contestant === contestant)
          .map(({ concurrency, perSecond }) => [concurrency, perSecond.median]),
      })),
    });
  }
  const peers = rates.filter(({ race }) => race.startsWith('peers.'));
  if (peers.length > 0) {
    plots['peers.svg'] = barPlot({
      title: 'Other libraries on the same server',
      subtitle: 'Deliveries per second, 64 at a time. What each of them leaves out is in the table',
      groups: [...byRace(peers)].map(([race, ran]) => ({
        label: race.replace('peers.', '').replaceAll('_', '-').replace('.', ', '),
        bars: ran.map(({ contestant, perSecond }) => ({
          ...{ contestant, value: perSecond.median },
          label: contestant === 'kit' ? 'onceward' : '',
        })),
      })),
    });
  }
  return plots;
}

function byRace(rates: readonly Rate[]): Map<string, Rate[]> {
  const races = new Map<string, Rate[]>();
  for (const rate of rates) races.set(rate.race, [...(races.get(rate.race) ?? []), rate]);
  return races;
}

const titles: Readonly<Record<string, string>> = {
  'pg.fresh': 'New keys in PostgreSQL',
  'redis.fresh': 'New keys in Redis',
};

const labels: Readonly<Record<string, string>> = {
  kit: 'onceward',
  naive: 'naive recipe',
  oneStatementEach: 'one statement each',
  'redis.fresh.limit': 'redis-benchmark, 2 SET',
  'pg.fresh.limit': 'pgbench insert + update',
  pgbenchInsert: 'pgbench insert',
};

function labelOf(race: string, contestant: string): string {
  return labels[`${race}.${contestant}`] ?? labels[contestant] ?? contestant;
}
