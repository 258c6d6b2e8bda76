const deliver = 'packages/client/src/deliver.ts';
const verdict = 'packages/client/src/retry/verdict.ts';
const delay = 'packages/client/src/retry/delay.ts';
const retryAfter = 'packages/client/src/retry/retry-after.ts';
const budget = 'packages/client/src/retry/budget.ts';
const tests = ['packages/client/src/'];

/** @type {import('./runner/mutants.mjs').Mutant[]} */
export const mutants = [
  {
    name: 'the client retries without a key',
    file: verdict,
    find: "if (verdict.kind !== 'retry' || key === 'delivered') return verdict;",
    replace: "if (verdict.kind !== 'retry' || key !== 'not-delivered') return verdict;",
    tests,
  },
  {
    name: 'the client retries although the key was not put on the request',
    file: verdict,
    find: "if (verdict.kind !== 'retry' || key === 'delivered') return verdict;",
    replace: "if (verdict.kind !== 'retry' || key !== 'none') return verdict;",
    tests,
  },
  {
    name: 'the client polls as fast as it retries',
    file: verdict,
    find: "return retry('outcome-unknown', 'poll');",
    replace: "return retry('outcome-unknown', 'soon');",
    tests,
  },
  {
    name: 'waiting for a running mutation uses up attempts',
    file: verdict,
    find: "return retry('in-progress', 'soon');",
    replace: "return retry('in-progress');",
    tests,
  },
  {
    name: 'a 409 of the application is retried',
    file: verdict,
    find: '[408, 425, 429].includes(status)',
    replace: '[408, 409, 425, 429].includes(status)',
    tests,
  },
  {
    name: 'a key that expired counts as a refusal',
    file: verdict,
    find: "  IDEMPOTENCY_KEY_EXPIRED: 'unresolved',\n",
    replace: '',
    tests,
  },
  {
    name: 'the jitter is drawn before the clamp',
    file: delay,
    find: ': ceilingMs * random();',
    replace: ': Math.min(maxDelayMs, baseDelayMs * 2 ** (count - 1) * random());',
    tests,
  },
  {
    name: 'Retry-After is a ceiling',
    file: delay,
    find: 'const afterMs = failed.retryAfterMs + options.random() * spreadMs;',
    replace: 'const afterMs = failed.retryAfterMs * options.random();',
    tests,
  },
  {
    name: 'the spread around Retry-After knows no limit',
    file: delay,
    find: 'Math.min(options.maxDelayMs, Math.max(1_000, failed.retryAfterMs / 10))',
    replace: 'Math.max(1_000, failed.retryAfterMs / 10)',
    tests,
  },
  {
    name: 'a Retry-After date is measured against our own clock',
    file: retryAfter,
    find: "at - (parseHttpDate(date?.trim() ?? '', nowMs) ?? nowMs)",
    replace: 'at - nowMs',
    tests,
  },
  {
    name: 'the header comes before the body',
    file: retryAfter,
    find: 'return inBandMs ?? parseRetryAfter(retryAfter, { date, nowMs });',
    replace: 'return parseRetryAfter(retryAfter, { date, nowMs }) ?? inBandMs;',
    tests,
  },
  {
    name: 'every retry is granted, however low the budget',
    file: budget,
    find: 'if (probe && account.probing) return undefined;',
    replace: '',
    tests,
  },
  {
    name: 'a probe never ends',
    file: deliver,
    find: 'course.leave?.release();',
    replace: '',
    tests,
  },
  {
    name: 'a success returns a whole token',
    file: budget,
    find: 'account.tenths + 1)',
    replace: 'account.tenths + 10)',
    tests,
  },
  {
    name: 'the clock of the deadline is not looked at after a wait',
    file: 'packages/client/src/pause.ts',
    find: "return clock.now() < deadlineAt ? 'go' : 'deadline';",
    replace: "return 'go';",
    tests,
  },
  {
    name: 'a wait is begun although the deadline comes first',
    file: 'packages/client/src/pause.ts',
    find: "if (clock.now() + ms >= deadlineAt) return 'deadline';",
    replace: '',
    tests,
  },
  {
    name: 'a running attempt may outlive the deadline',
    file: deliver,
    find: 'Math.min(tools.attemptTimeoutMs, intent.deadlineAt - tools.clock.now())',
    replace: 'tools.attemptTimeoutMs',
    tests,
  },
  {
    name: 'every attempt has a key of its own',
    file: deliver,
    find: 'key: intent.key,',
    replace: 'key: intent.key && tools.newKey(),',
    tests,
  },
  {
    name: 'the unknown outcome at the deadline reads as too slow',
    file: deliver,
    find: "verdict.why === 'outcome-unknown' ? 'unresolved' : 'deadline'",
    replace: "'deadline'",
    tests,
  },
  {
    name: 'a listener stays on the signal of the caller',
    file: 'packages/client/src/wait.ts',
    find: "signal?.removeEventListener('abort', abort);",
    replace: '',
    tests,
  },
  {
    name: 'a timer stays after its wait was aborted',
    file: 'packages/client/src/wait.ts',
    find: 'cancel();\n',
    replace: '\n',
    tests,
  },
  {
    name: 'a long timer is not cut into pieces',
    file: 'packages/client/src/timer.ts',
    find: 'Math.min(leftMs, longestTimerMs)',
    replace: 'leftMs',
    tests,
  },
  {
    name: 'an attempt that is given up is not aborted',
    file: 'packages/client/src/attempt.ts',
    find: 'controller?.abort(conditions.signal?.reason);',
    replace: '',
    tests,
  },
  {
    name: 'a key of the caller loses against the current intent',
    file: 'packages/client/src/intent.ts',
    find: 'if (key === undefined) return currentIntent()?.childKey(operation) ?? newKey();',
    replace:
      'if (key === undefined || currentIntent()) return currentIntent()?.childKey(operation) ?? newKey();',
    tests,
  },
];
