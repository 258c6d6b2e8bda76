import type { ResolvedMutation } from './mutation-options.ts';

/**
 * Refuses, when a mutation is declared, what could execute an effect twice when it runs.
 *
 * Every message names the option to change, because this is read at start-up by the author.
 */
export function refuseUnsafe(mutation: ResolvedMutation): void {
  for (const rule of rules) {
    const objection = rule(mutation);
    if (objection !== undefined) {
      throw new TypeError(`Mutation '${mutation.operation}' was refused: ${objection}`);
    }
  }
}

type Rule = (mutation: ResolvedMutation) => string | undefined;

const rules: readonly Rule[] = [
  ({ effect, engine: { store } }) =>
    effect === 'atomic' && !(store.capabilities.transactions && 'transact' in store)
      ? `\`effect: 'atomic'\` needs a store with transactions, and ${store.name} has none`
      : undefined,

  ({ effect, onStaleLease, outsideCallsCarryKeys }) =>
    effect === 'external' && onStaleLease === 're-execute' && !outsideCallsCarryKeys
      ? "`onStaleLease: 're-execute'` could repeat an outside effect. Pass every outside call the " +
        'derived key and say so with `outsideCallsCarryKeys: true`, or leave the outcome unknown'
      : undefined,

  ({ effect, onStaleLease }) =>
    effect === 'atomic' && onStaleLease === 'unknown'
      ? "`onStaleLease: 'unknown'` has no meaning for `effect: 'atomic'`, which takes no lease"
      : undefined,

  ({ requires, engine: { store } }) =>
    requires !== 'nothing' && !store.capabilities.durable
      ? `${store.name} may forget a key when it crashes, and the effect would happen twice. ` +
        'Use a durable store (if it is one, await `store.verify()` first), or accept the loss ' +
        "with `acceptLoss: true`, or `requires: 'nothing'` for this mutation alone"
      : undefined,

  ({ requires, engine: { store } }) =>
    requires === 'failover-safe' && !store.capabilities.failoverSafe
      ? `\`requires: 'failover-safe'\`, and ${store.name} does not promise that as it is set up`
      : undefined,

  ({ effect, engine: { expired, keyFormat } }) =>
    expired === 'execute' && keyFormat === 'uuid-v7' && effect !== 'natural'
      ? "`expired: 'execute'` could execute an old key again. It needs `effect: 'natural'`"
      : undefined,

  ({ answerRetentionMs, keyRetentionMs }) =>
    answerRetentionMs > keyRetentionMs
      ? '`answerRetentionMs` must be at most `keyRetentionMs`: an answer goes with its key'
      : undefined,

  ({ leaseMs, engine: { maxExecutionMs } }) =>
    leaseMs > maxExecutionMs ? '`leaseMs` must be at most `maxExecutionMs`' : undefined,

  ({ keyRetentionMs, engine: { keyFormat, expired } }) =>
    keyFormat === 'opaque' && expired === 'refuse' && keyRetentionMs !== Infinity
      ? 'an opaque key that was forgotten cannot be recognised. Keep keys for ever with ' +
        "`keyRetentionMs: Infinity`, or accept with `expired: 'execute'` that they execute again"
      : undefined,
];
