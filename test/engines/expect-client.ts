import { expect } from 'vitest';

/** What `exerciseClient` reports in every engine; only the key differs. */
export function expectClient(report: unknown): { key: string } {
  expect(report).toEqual({
    paid: { paid: 4 },
    waits: [
      { why: 'network', delayMs: 0 },
      { why: 'http', delayMs: 1_000 },
      { why: 'in-progress', delayMs: 5 },
    ],
    key: expect.stringMatching(
      /^"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"$/,
    ),
    oneKey: true,
    givenUp: {
      name: 'DeliveryError',
      reason: 'configuration',
      attempts: 1,
      execution: 'possible',
      isError: true,
    },
  });
  return report as { key: string };
}
