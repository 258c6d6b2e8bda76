/** What a figure is to be: at least, or at most, so much. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number };

/** By the name of the figure. What has none is measured to be looked at. */
const goals: Readonly<Record<string, Goal>> = {
  'yoga.keyed_overhead': { atMost: 0.15 },
  'trpc.keyed_overhead': { atMost: 0.15 },
  'journal.open_10k_ms': { atMost: 300 },
  'journal.submit_10k_vs_100': { atMost: 1.5 },
  'pg.fresh.1.vs_naive': { atLeast: 1.8 },
  'pg.fresh.16.vs_naive': { atLeast: 4 },
  'pg.fresh.64.vs_naive': { atLeast: 8 },
  'pg.fresh.256.vs_naive': { atLeast: 10 },
  'pg.fresh.64.vs_pgbench_insert_update': { atLeast: 2.2 },
  'pg.replay.64.vs_naive': { atLeast: 12 },
  'pg.replay.64.vs_pgbench_select': { atLeast: 0.7 },
  'pg.conflict.64.vs_naive': { atLeast: 12 },
  'pg.fresh.wal_bytes': { atMost: 1_000 },
  'pg.fresh.hot_share': { atLeast: 0.99 },
  'pg.fresh.index_bytes_per_key': { atMost: 42 },
  'pg.replay.wal_bytes': { atMost: 0 },
  'pg.fresh.64.round_trips_per_mutation': { atMost: 0.2 },
  'pg.fresh.1.round_trips_per_mutation': { atMost: 2 },
  'pg.replay.1.round_trips_per_mutation': { atMost: 1 },
  'pg.atomic.64.vs_bare_transaction': { atLeast: 0.65 },
  'pg.atomic.64.vs_bare_transaction.1ms': { atLeast: 0.85 },
  'pg.atomic.round_trips': { atMost: 0 },
  'pg.growth.5m_vs_10k': { atLeast: 0.85 },
  'pg.retention.drop_vs_delete': { atMost: 0.01 },
  'pg.stress.deadlocks': { atMost: 0 },
  'pg.stress.double_executions': { atMost: 0 },
  'redis.fresh.64.vs_naive': { atLeast: 0.9 },
  'redis.replay.64.vs_naive': { atLeast: 1.3 },
  'redis.fresh.64.wait_vs_plain': { atLeast: 0.7 },
  'redis.bytes_per_key': { atMost: 810 },
  'fingerprint.4kb.vs_json_stringify': { atMost: 2.5 },
  'fingerprint.1mb.blocks_ms': { atMost: 5 },
};

/** The goal of a figure. The kit is to be ahead of every peer, and to execute nothing twice. */
export function goalOf(name: string): Goal | undefined {
  if (/^peers\.onceward_.*double/.test(name)) return { atMost: 0 };
  return goals[name] ?? (/^peers\..*\.64$/.test(name) ? { atLeast: 1 } : undefined);
}

export function isMet(goal: Goal, value: number): boolean {
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}

export function sayGoal(goal: Goal, say: (value: number) => string): string {
  return 'atLeast' in goal ? `≥ ${say(goal.atLeast)}` : `≤ ${say(goal.atMost)}`;
}
