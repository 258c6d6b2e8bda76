import { createDelivery, type Delivery, describeFailure } from '@onceward/client';
import { createKeyMinter, type IdempotencyKey } from '@onceward/core';
import type { Wish } from './bank.ts';
import type { Checker } from './checker.ts';
import type { Dice } from './dice.ts';
import { DeclinedError, type SimulatedNetwork } from './simulated-network.ts';
import { type Operation, operations } from './simulated-server.ts';
import { times } from './times.ts';
import type { Timeline } from './timeline.ts';
import { type Told, toldByError } from './told.ts';

export interface ClientTools {
  readonly timeline: Timeline;
  readonly dice: Dice;
  readonly checker: Checker;
  readonly network: SimulatedNetwork;
  /** Keys that others have used, for somebody who has seen them. */
  readonly keysSeen: { readonly tenant: string; readonly key: IdempotencyKey }[];
}

/**
 * A program without a journal: the shipped delivery, which keeps a key in memory. Afterwards it
 * sends some of its mutations once more: soon, when the answer is gone, when the key is forgotten,
 * and with another input.
 */
export class SimulatedClient {
  readonly #tenant: string;
  readonly #tools: ClientTools;
  readonly #delivery: Delivery;
  readonly #newKey: () => IdempotencyKey;
  #afterthoughts = 0;

  constructor(tenant: string, tools: ClientTools) {
    this.#tenant = tenant;
    this.#tools = tools;
    const { timeline, dice } = tools;
    const skewMs = dice.between(-10_000, 10_000);
    const clock = timeline.clock(() => skewMs);
    this.#newKey = createKeyMinter({ now: () => clock.now(), random: dice.bytes });
    this.#delivery = createDelivery({
      ...times.delivery,
      ...{ clock, random: dice.random, newKey: this.#newKey },
      describeFailure: (error) =>
        error instanceof DeclinedError ? { kind: 'answered' } : describeFailure(error),
    });
  }

  async wish(operation: Operation, newWish: (tenant: string) => Wish): Promise<void> {
    const { checker, keysSeen } = this.#tools;
    const input = newWish(this.#tenant);
    checker.wished(this.#tenant, operation, input);
    checker.accepted(input.id);
    const key = this.#chooseKey();
    keysSeen.push({ tenant: this.#tenant, key });
    const told = await this.#deliver(operation, key, input);
    checker.told(input.id, told);
    if (told.kind === 'succeeded' || told.kind === 'declined')
      this.#thinkAgain(operation, key, input);
  }

  /** What a tenant has as a key is nobody else's business, so others may have the same. */
  #chooseKey(): IdempotencyKey {
    const { dice, keysSeen } = this.#tools;
    const foreign = dice.chance(0.1) ? keysSeen[keysSeen.length - 1] : undefined;
    const isOwn = (key: IdempotencyKey) =>
      keysSeen.some((seen) => seen.tenant === this.#tenant && seen.key === key);
    return foreign && !isOwn(foreign.key) ? foreign.key : this.#newKey();
  }

  async #deliver(operation: Operation, key: IdempotencyKey, input: Wish): Promise<Told> {
    const { network } = this.#tools;
    try {
      const { number } = await this.#delivery.deliver({ operation, key }, (attempt) =>
        network.send(this.#tenant, { operation, key: attempt.takeKey() ?? '', input }),
      );
      return { kind: 'succeeded', number };
    } catch (error) {
      return toldByError(error);
    }
  }

  #thinkAgain(operation: Operation, key: IdempotencyKey, input: Wish): void {
    const { timeline, dice } = this.#tools;
    const { answerRetentionMs, keyRetentionMs } = times.engine;
    const soon = dice.between(10, 5_000);
    if (dice.chance(0.3)) timeline.after(soon, () => this.#sendOnce(operation, key, input));
    if (dice.chance(0.2)) timeline.after(soon, () => this.#misuse(operation, key, input));
    if (dice.chance(0.15)) {
      timeline.after(answerRetentionMs + soon, () => this.#sendOnce(operation, key, input));
    }
    if (dice.chance(0.3)) {
      // Just when a key is forgotten, by one clock or another.
      timeline.after(keyRetentionMs + 2 * soon, () => this.#sendOnce(operation, key, input));
    }
    if (dice.chance(0.2)) {
      const forgottenMs = keyRetentionMs + 2 * times.engine.maxClockSkewMs;
      timeline.after(forgottenMs + soon, () => this.#sendOnce(operation, key, input));
    }
  }

  /** The same key for something else, which must not happen. */
  #misuse(operation: Operation, key: IdempotencyKey, input: Wish): void {
    const { checker, dice } = this.#tools;
    // The same input of another mutation is something else, too.
    if (dice.chance(0.4)) return this.#sendOnce(dice.pick(othersThan(operation)), key, input);
    // So is an input with one member more, whatever that is called.
    if (dice.chance(0.3)) return this.#sendOnce(operation, key, withHiddenMember(input));
    const other = { id: `${input.id} misused ${++this.#afterthoughts}`, cents: input.cents };
    checker.wished(this.#tenant, operation, other, true);
    this.#sendOnce(operation, key, other);
  }

  #sendOnce(operation: Operation, key: IdempotencyKey, input: Wish): void {
    // Whoever checks sees the answer; nobody else waits for it.
    this.#tools.network.send(this.#tenant, { operation, key, input }).catch(() => undefined);
  }
}

function withHiddenMember(input: Wish): Wish {
  return JSON.parse(`{"__proto__":{"cents":0},${JSON.stringify(input).slice(1)}`) as Wish;
}

function othersThan(operation: Operation): readonly Operation[] {
  return operations.filter((other) => other !== operation);
}
