/** What a figure is to be: at least, or at most, so much. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number };

/**
 * By the part that measures them, and by the name of the figure. What has no goal is measured to be
 * looked at; what has one must be measured, or the part must say why it could not be.
 */
export const goals: Readonly<Record<string, Readonly<Record<string, Goal>>>> = {
  yoga: { 'yoga.keyed_overhead': { atMost: 0.15 } },
  trpc: { 'trpc.keyed_overhead': { atMost: 0.15 } },
  fingerprint: {
    'fingerprint.4kb.vs_json_stringify': { atMost: 2.5 },
    'fingerprint.1mb.blocks_ms': { atMost: 5 },
  },
  journal: {
    'journal.open_10k_ms': { atMost: 300 },
    'journal.submit_10k_vs_100': { atMost: 1.5 },
  },
  redis: {
    'redis.fresh.64.vs_naive': { atLeast: 0.9 },
    'redis.replay.64.vs_naive': { atLeast: 1.3 },
    'redis.fresh.64.wait_vs_plain': { atLeast: 0.7 },
    'redis.bytes_per_key': { atMost: 810 },
  },
  // Ahead of every other library, on its driver and beside what drivers can do; nothing twice.
  peers: {
    'peers.node_idempotency.fresh.64': { atLeast: 1 },
    'peers.node_idempotency.fresh.64.by_baseline': { atLeast: 1 },
    'peers.node_idempotency.replay.64': { atLeast: 1 },
    'peers.node_idempotency.replay.64.by_baseline': { atLeast: 1 },
    'peers.express_idempotency.fresh.64': { atLeast: 1 },
    'peers.express_idempotency.fresh.64.by_baseline': { atLeast: 1 },
    'peers.express_idempotency.replay.64': { atLeast: 1 },
    'peers.express_idempotency.replay.64.by_baseline': { atLeast: 1 },
    'peers.powertools.fresh.64': { atLeast: 1 },
    'peers.powertools.fresh.64.by_baseline': { atLeast: 1 },
    'peers.powertools.replay.64': { atLeast: 1 },
    'peers.powertools.replay.64.by_baseline': { atLeast: 1 },
    'peers.dbos.fresh.64': { atLeast: 1 },
    'peers.dbos.replay.64': { atLeast: 1 },
    'peers.adcp_sdk.fresh.64': { atLeast: 1 },
    'peers.adcp_sdk.replay.64': { atLeast: 1 },
    'peers.onceward_redis.double_executions': { atMost: 0 },
    'peers.onceward_node_redis.double_executions': { atMost: 0 },
    'peers.onceward_postgres.double_executions': { atMost: 0 },
  },
  pg: {
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
  },
  growth: { 'pg.growth.5m_vs_10k': { atLeast: 0.85 } },
  stress: {
    'pg.stress.deadlocks': { atMost: 0 },
    'pg.stress.double_executions': { atMost: 0 },
  },
  retention: { 'pg.retention.drop_vs_delete': { atMost: 0.01 } },
};

const byName: Readonly<Record<string, Goal>> = Object.assign({}, ...Object.values(goals));

export function goalOf(name: string): Goal | undefined {
  return byName[name];
}

export function isMet(goal: Goal, value: number): boolean {
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}

export function sayGoal(goal: Goal, say: (value: number) => string): string {
  return 'atLeast' in goal ? `≥ ${say(goal.atLeast)}` : `≤ ${say(goal.atMost)}`;
}
