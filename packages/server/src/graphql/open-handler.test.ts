import { createHook } from 'node:async_hooks';
import { mintKey } from '@onceward/core';
import { expect, test, vi } from 'vitest';
import { collectGarbage } from '../../../../test/support/collect-garbage.ts';
import { openYoga, payment } from '../../test/yoga-fixture.ts';

test('tools that follow async resources hear of the end of each', async () => {
  const open = new Set<number>();
  let count = 0;
  const hook = createHook({
    init(id, type) {
      if (type !== 'onceward') return;
      open.add(id);
      count++;
    },
    destroy: (id) => void open.delete(id),
  });
  // Spans are around a handler, and a handler that waits has an async resource.
  const { send } = openYoga({ idempotency: { hooks: { trace: (_, run) => run() } } });
  hook.enable();
  try {
    for (let delivery = 0; delivery < 10; delivery++) await send(payment, { key: mintKey() });
    await vi.waitFor(async () => {
      await collectGarbage();
      expect(open.size).toBe(0);
    });
    expect(count).toBe(10);
  } finally {
    hook.disable();
  }
});
