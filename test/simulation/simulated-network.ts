import { HttpStatusError } from '@onceward/client';
import { IdempotencyError } from '@onceward/core';
import type { Receipt } from './bank.ts';
import type { Checker } from './checker.ts';
import type { Dice } from './dice.ts';
import type { Faults } from './faults.ts';
import type { SimulatedServer, WireAnswer, WireRequest } from './simulated-server.ts';
import type { Timeline } from './timeline.ts';

export interface NetworkTools {
  readonly timeline: Timeline;
  readonly dice: Dice;
  readonly faults: Faults;
  readonly checker: Checker;
  readonly servers: readonly SimulatedServer[];
}

/** What the business refuses, as a client has it. */
export class DeclinedError extends Error {
  override readonly name = 'DeclinedError';
}

/** Takes requests to any of the servers, and loses, repeats, delays and overtakes them on the way. */
export class SimulatedNetwork {
  readonly #tools: NetworkTools;

  constructor(tools: NetworkTools) {
    this.#tools = tools;
  }

  /** Resolves with the receipt; throws what a client library would. */
  async send(tenant: string, request: WireRequest): Promise<Receipt> {
    const answer = JSON.parse(await this.#exchange(tenant, JSON.stringify(request))) as WireAnswer;
    switch (answer.kind) {
      case 'result':
        return answer.value;
      case 'declined':
        throw new DeclinedError(answer.message);
      case 'refused':
        throw IdempotencyError.fromJSON(answer.error) ?? new TypeError('an unknown refusal');
      case 'failed':
        throw statusError(500);
    }
  }

  async #exchange(tenant: string, text: string): Promise<string> {
    const { timeline, dice, faults } = this.#tools;
    const delayed = faults.strike('request delayed');
    await timeline.sleep(delayed ? dice.between(500, 6_000) : dice.between(1, 20));
    if (faults.strike('proxy answers 503')) throw statusError(503);
    if (faults.strike('request dropped')) return this.#silence();
    if (faults.strike('request duplicated')) {
      timeline.after(dice.between(0, 5_000), () => void this.#arrive(tenant, text).catch(() => {}));
    }
    const arriving = this.#arrive(tenant, text);
    if (faults.strike('connection reset')) {
      arriving.catch(() => {});
      throw new TypeError('connection reset');
    }
    const answer = await arriving;
    await timeline.sleep(dice.between(1, 20));
    if (faults.strike('answer dropped')) return this.#silence();
    return answer;
  }

  async #arrive(tenant: string, text: string): Promise<string> {
    const { checker, dice, servers } = this.#tools;
    const request = JSON.parse(text) as WireRequest;
    checker.arrived(tenant, request);
    const answer = await dice.pick(servers).answer(tenant, text);
    checker.answers(tenant, request, answer);
    return answer;
  }

  /** Somebody notices that the line is dead, or nobody does. */
  #silence(): Promise<never> {
    const { timeline, dice } = this.#tools;
    if (dice.chance(0.5)) return new Promise(() => {});
    return timeline.sleep(dice.between(1, 300)).then(() => {
      throw new TypeError('connection lost');
    });
  }
}

function statusError(status: number): HttpStatusError {
  return new HttpStatusError({ status, headers: { get: () => null } });
}
