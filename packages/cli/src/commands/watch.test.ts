import { newRequest, success } from '@onceward/conformance/requests';
import { expect, test } from 'vitest';
import { openCli } from '../../test/open-cli.ts';

test('with --json it prints a line per tick, with what changed since the last', async () => {
  await using cli = await openCli();
  // A tick is a second of this clock, however long it takes.
  let now = 1_000_000;
  let reading = 0;
  const ticking = async () => {
    const request = newRequest();
    await cli.store.reserve(request);
    await cli.store.complete(request, success());
  };
  await ticking();
  const lines: ReturnType<typeof JSON.parse>[] = [];
  let between = Promise.resolve();
  const changes = {
    now: () => (reading++ % 2 === 0 ? (now += 2_000) : now),
    stdout: {
      isTTY: false,
      write(text: string) {
        lines.push(JSON.parse(text));
        if (lines.length === 1) between = ticking();
      },
    },
  };
  const ended = cli.runWith(changes, 'watch', '--json', '--ticks', '2', '--interval', '500ms');
  await expect(ended).resolves.toMatchObject({ code: 0 });
  await between;
  expect(lines).toMatchObject([
    { records: { completed: 1 }, staleLeases: 0, perSecond: null, jobs: { dead: 0 } },
    { records: { completed: 2 }, perSecond: { records: 0.5, completed: 0.5 } },
  ]);
  expect(lines[1].at - lines[0].at).toBe(2_000);
});

test('on a terminal the second page is written over the first', async () => {
  await using cli = await openCli();
  const pages: string[] = [];
  const stdout = { isTTY: true, write: (text: string) => void pages.push(text) };
  await cli.runWith({ stdout }, 'watch', '--ticks', '2', '--interval', '1ms');
  const lines = pages[0]!.split('\n').length - 1;
  expect(pages[1]!.startsWith(`\u001b[${lines}A\u001b[J`)).toBe(true);
  expect(pages[1]).toMatch(/completed +0 +0\/s/);
  const inFile = await cli.run('watch', '--ticks', '2', '--interval', '1ms');
  expect(inFile.stdout).not.toContain('\u001b');
});

test('Ctrl-C ends it at once, and that is no failure', async () => {
  await using cli = await openCli();
  const controller = new AbortController();
  const stdout = { isTTY: false, write: () => void setImmediate(() => controller.abort()) };
  const watching = cli.runWith({ stdout, signal: controller.signal }, 'watch', '--interval', '1h');
  await expect(watching).resolves.toMatchObject({ code: 0, stderr: '' });
});
