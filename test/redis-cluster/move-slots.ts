import type { ClusterNode } from '../../packages/redis/test/start-cluster.ts';

/** Moves slots from one master to another while they are in use, as resharding does. */
export async function moveSlots(
  slots: readonly number[],
  { from, to, masters }: MoveOptions,
): Promise<void> {
  for (const slot of slots) {
    await to.admin.cluster('SETSLOT', slot, 'IMPORTING', from.id);
    await from.admin.cluster('SETSLOT', slot, 'MIGRATING', to.id);
    for (;;) {
      const keys = await from.admin.cluster('GETKEYSINSLOT', slot, 100);
      if (keys.length === 0) break;
      const target = ['127.0.0.1', to.server.port, '', 0, 5_000, 'REPLACE', 'KEYS'];
      await from.admin.call('MIGRATE', ...target, ...keys);
    }
    // The new owner first: else nobody has the slot for a moment.
    for (const { admin } of [to, from, ...masters]) {
      await admin.cluster('SETSLOT', slot, 'NODE', to.id);
    }
  }
}

export interface MoveOptions {
  readonly from: ClusterNode;
  readonly to: ClusterNode;
  readonly masters: readonly ClusterNode[];
}
