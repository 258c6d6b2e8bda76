import assert from 'node:assert/strict';
import type { Completion, Reservation, UnavailableReason } from '@onceward/core/store';
import type { OpenHarness, TestApi } from '../harness.ts';
import { again, assertReplays, bytes, granted, leaseOf, newRequest, success } from '../requests.ts';

const answers: Record<string, Uint8Array> = {
  'no bytes at all': new Uint8Array(),
  'the word null': bytes('null'),
  'NUL bytes': new Uint8Array([0, 0, 65, 0]),
  'invalid UTF-8': new Uint8Array([0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80]),
  'every byte there is': Uint8Array.from({ length: 256 }, (_, index) => index),
  'a kilobyte': new Uint8Array(1024).fill(7),
  'three megabytes': Uint8Array.from({ length: 3 << 20 }, (_, index) => (index * 31) & 0xff),
};

/** Half of a pair has no form in UTF-8: what stands for it is the same everywhere. */
const texts: Record<string, string> = {
  'no characters': '',
  'ASCII and NUL': '\0{"paid":true}',
  'more than ASCII': 'é€\u{1f600}\ufeff',
  'half of a surrogate pair': 'a\ud800b',
  'a hundred thousand characters': 'é'.repeat(100_000),
};

const reasons: UnavailableReason[] = [
  'too-large',
  'not-serialisable',
  'streamed',
  'undecodable',
  'settled',
];

/** Guarantees 3 and 12: the same answer, byte for byte. */
export function describeReplaying({ test }: TestApi, open: OpenHarness): void {
  for (const [name, answer] of Object.entries(answers)) {
    test(`an answer of ${name} is replayed byte for byte`, async () => {
      await using harness = await open();
      for (const kind of ['success', 'failure'] as const) {
        const completion: Completion = { outcome: { kind, answer }, answerRetentionMs: 60_000 };
        await assertKept(harness, completion);
      }
    });
  }

  for (const [name, answer] of Object.entries(texts)) {
    test(`an answer that is a text of ${name} is replayed as its bytes in UTF-8`, async () => {
      await using harness = await open();
      for (const kind of ['success', 'failure'] as const) {
        await assertKept(harness, { outcome: { kind, answer }, answerRetentionMs: 60_000 });
      }
    });
  }

  test('whoever changes the bytes of an answer changes no replay', async () => {
    await using harness = await open();
    const { store } = harness;
    const request = newRequest();
    const bytes = new Uint8Array([1, 2, 3]);
    const completionWith = (answer: Uint8Array): Completion => {
      return { outcome: { kind: 'success', answer }, answerRetentionMs: 60_000 };
    };
    const sent = bytes.slice();
    await store.complete(leaseOf(await store.reserve(request)), completionWith(sent));
    sent.fill(9);
    const reservation = await store.reserve(again(request));
    assertReplays(reservation, completionWith(bytes));
    answerOf(reservation).fill(9);
    assertReplays(await store.reserve(again(request)), completionWith(bytes));
  });

  test('that there is no answer is replayed with the reason', async () => {
    await using harness = await open();
    for (const reason of reasons) {
      const outcome = { kind: 'unavailable', reason } as const;
      await assertKept(harness, { outcome, answerRetentionMs: 60_000 });
    }
  });

  test('an answer past its retention is unavailable, and its key stays taken', async () => {
    await using harness = await open();
    const request = newRequest();
    const lease = leaseOf(await harness.store.reserve(request));
    await harness.store.complete(lease, success('short-lived', 40));
    await harness.elapse(80);
    const expired = { kind: 'unavailable', reason: 'expired' } as const;
    const replay = await harness.store.reserve(again(request));
    assertReplays(replay, { outcome: expired, answerRetentionMs: 0 });
  });

  test('a replay says until when the answer is kept', async () => {
    await using harness = await open();
    const request = newRequest();
    const lease = leaseOf(await harness.store.reserve(request));
    await harness.store.complete(lease, success('kept', 60_000));
    const replay = await harness.store.reserve(again(request));
    assert.equal(replay.kind, 'completed');
    const remainingMs = replay.answerExpiresAt - Date.now();
    // Wide bounds: the store's clock is not ours.
    assert.ok(remainingMs > 30_000 && remainingMs < 90_000, `${remainingMs}`);
  });

  test('an answer may be kept as long as its key', async () => {
    await using harness = await open();
    const request = newRequest({ keyRetentionMs: Infinity });
    const lease = leaseOf(await harness.store.reserve(request));
    await harness.store.complete(lease, success('for ever', Infinity));
    const replay = await harness.store.reserve(again(request));
    assertReplays(replay, success('for ever'));
    assert.equal((replay as { answerExpiresAt: number }).answerExpiresAt, Infinity);
  });

  test('progress is handed to the next attempt, in order and byte for byte', async () => {
    await using harness = await open();
    const { store } = harness;
    const request = newRequest();
    const first = leaseOf(await store.reserve(request));
    assert.equal(await store.saveProgress(first, new Uint8Array([1, 0, 255])), 'saved');
    assert.equal(await store.saveProgress(first, new Uint8Array([2])), 'saved');
    await store.release(first);

    const second = granted(await store.reserve(again(request)));
    assert.deepEqual([...second.progress], [1, 0, 255, 2]);
    await store.saveProgress(second.lease, new Uint8Array([3]));
    await store.complete(second.lease, success('all steps done'));
    assertReplays(await store.reserve(again(request)), success('all steps done'));
  });
}

async function assertKept(
  { store }: Awaited<ReturnType<OpenHarness>>,
  completion: Completion,
): Promise<void> {
  const request = newRequest();
  const lease = leaseOf(await store.reserve(request));
  assert.equal(await store.complete(lease, completion), 'completed');
  assertReplays(await store.reserve(again(request)), completion);
  assertReplays(await store.reserve(again(request)), completion);
}

function answerOf(reservation: Reservation): Uint8Array {
  assert.ok('outcome' in reservation && 'answer' in reservation.outcome, 'it has an answer');
  return reservation.outcome.answer;
}
