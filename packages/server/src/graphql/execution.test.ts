import { createHook } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { mintKey } from '@onceward/core';
import { expect, test, vi } from 'vitest';
import { openYoga, payment } from '../../test/yoga-fixture.ts';

test('tools that follow async resources hear of the end of each', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
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
  const { send } = openYoga();
  hook.enable();
  try {
    for (let delivery = 0; delivery < 10; delivery++) await send(payment, { key: mintKey() });
    await vi.waitFor(() => {
      collectGarbage();
      expect(open.size).toBe(0);
    });
    expect(count).toBe(10);
  } finally {
    hook.disable();
  }
});
