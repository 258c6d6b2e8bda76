import { type Bank, canaryOf, type Wish } from './bank.ts';
import type { History } from './history.ts';
import { sequentialOracle } from './oracle.ts';
import {
  isDeclined,
  type Operation,
  type WireAnswer,
  type WireRequest,
} from './simulated-server.ts';
import type { Told } from './told.ts';

interface Known extends Wish {
  readonly tenant: string;
  readonly operation: Operation;
  readonly told: Told[];
  accepted: boolean;
  /** Its key belongs to another wish: it must never take effect. */
  misuse: boolean;
}

interface FirstAnswer {
  readonly operation: Operation;
  readonly text: string;
  /** Whether somebody was answered by the attempt that executed. */
  fresh: boolean;
}

/**
 * Watches a world from outside, where there is no idempotency: what was wished for, what took
 * effect, what was answered, and what people were told.
 */
export class Checker {
  readonly #bank: Bank;
  readonly #history: History;
  readonly #wishes = new Map<string, Known>();
  /** By tenant and key: the first answer. */
  readonly #answers = new Map<string, FirstAnswer>();
  /** By tenant and key: what was sent under it. */
  readonly #inputs = new Map<string, Set<string>>();
  /** How many answers servers have given. */
  answered = 0;

  constructor(bank: Bank, history: History) {
    this.#bank = bank;
    this.#history = history;
  }

  wished(tenant: string, operation: Operation, wish: Wish, misuse = false): void {
    const known = { ...wish, tenant, operation, told: [], accepted: false, misuse };
    this.#wishes.set(wish.id, known);
    this.#history.note(`${tenant} wishes ${wish.id}: ${operation}${misuse ? ', misuse' : ''}`);
  }

  accepted(id: string): void {
    const wish = this.#wishes.get(id);
    if (wish) wish.accepted = true;
  }

  told(id: string, told: Told): void {
    this.#wishes.get(id)?.told.push(told);
    this.#history.note(`told of ${id}: ${JSON.stringify(told)}`);
  }

  /** How many durable wishes nobody has been told the end of. */
  waiting(): number {
    let count = 0;
    for (const { accepted, told } of this.#wishes.values()) if (accepted && !told.length) count++;
    return count;
  }

  /** A request reaches a server. */
  arrived(tenant: string, { operation, key, input }: WireRequest): void {
    const wish = this.#wishes.get(input.id);
    this.#history.note(`arrives: ${input.id} of ${tenant} under ${key.slice(-6)}`);
    if (wish?.tenant !== tenant) this.#broken(`${input.id} is sent for another user`);
    if (wish && wish.cents !== input.cents) this.#broken(`${input.id} is sent with other bytes`);
    const name = `${tenant} ${key}`;
    const inputs = this.#inputs.get(name) ?? new Set();
    const hidden = hidesMember(input) ? ', and a hidden member' : '';
    this.#inputs.set(name, inputs.add(`${operation} ${input.id}${hidden}`));
  }

  /** A server answers, whether or not anybody hears it. */
  answers(tenant: string, request: WireRequest, text: string): void {
    this.answered++;
    const { key, input, operation } = request;
    const answer = JSON.parse(text) as WireAnswer;
    const foreign = (text.match(/canary-of-[\w-]+/g) ?? []).filter((it) => it !== canaryOf(tenant));
    if (foreign.length > 0) this.#broken(`${input.id} is answered with bytes of another tenant`);
    const name = `${tenant} ${key}`;
    if (answer.kind === 'refused') {
      const { code } = answer.error as { code: string };
      const reused = (this.#inputs.get(name)?.size ?? 0) > 1;
      if (code === 'IDEMPOTENCY_KEY_REUSED' && !reused)
        this.#broken(`${input.id} is called reused`);
    }
    if (answer.kind !== 'result' && answer.kind !== 'declined') return;
    this.#history.note(`answers: ${input.id} ${text}`);
    const misused = this.#wishes.get(input.id)?.misuse || hidesMember(input);
    if (misused) this.#broken(`${input.id} got the answer of another`);

    const first = this.#answers.get(name);
    const content = answer.kind === 'result' ? JSON.stringify(answer.value) : answer.message;
    if (!first) {
      this.#answers.set(name, { operation, text: content, fresh: !answer.replayed });
    } else {
      if (first.operation !== operation)
        this.#broken(`${input.id} is answered for another mutation`);
      if (first.text !== content) this.#broken(`${input.id} has unequal answers`);
      if (!answer.replayed && first.fresh && operation !== 'natural') {
        this.#broken(`${input.id} was executed for two answers`);
      }
      first.fresh ||= !answer.replayed;
    }
    if (answer.kind === 'declined' || operation === 'natural') return;
    if (answer.value.id !== input.id) this.#broken(`${input.id} is answered for another`);
    if (this.#bank.effectsOf(input.id).length === 0) {
      this.#broken(`${input.id} is acknowledged, and did not take effect`);
    }
  }

  /** After all is well again, and everything has had the time it needs. */
  checkEnd(): void {
    const { receipts, balances } = sequentialOracle(this.#bank.effects);
    for (const wish of this.#wishes.values()) {
      const effects = this.#bank.effectsOf(wish.id).length;
      if (effects > 1) this.#broken(`${wish.id} took effect ${effects} times`);
      const noted = this.#bank.effectsOf(`${wish.id} noted`).length;
      if (noted > 1) this.#broken(`${wish.id} was noted ${noted} times`);
      if (effects > 0 && (wish.misuse || isDeclined(wish))) {
        this.#broken(`${wish.id} took effect, and must not`);
      }
      if (wish.accepted && wish.told.length === 0) this.#broken(`nobody was told of ${wish.id}`);
      for (const told of wish.told) this.#checkTold(wish, told, receipts.get(wish.id)?.number);
    }
    for (const [tenant, balance] of this.#bank.balances) {
      if (balances.get(tenant) !== balance) this.#broken(`the balance of ${tenant} is wrong`);
    }
  }

  #checkTold(wish: Known, told: Told, expected: number | undefined): void {
    const { id, operation } = wish;
    const executes = operation !== 'natural';
    this.#history.count(`told: ${told.kind}`);
    switch (told.kind) {
      case 'succeeded':
        if (executes && told.number !== expected) {
          this.#broken(`${id}: its acknowledgement is ${expected ? 'not its own' : 'lost'}`);
        }
        if (operation === 'steps' && this.#bank.effectsOf(`${id} noted`).length !== 1) {
          this.#broken(`${id} succeeded, and its second step did not`);
        }
        return;
      case 'executed':
        if (executes && expected === undefined && !isDeclined(wish)) {
          this.#broken(`${id} is called executed, and is not`);
        }
        return;
      case 'declined':
        if (!isDeclined(wish)) this.#broken(`${id} is called declined, and is not`);
        return;
      case 'not accepted':
        if (expected !== undefined) this.#broken(`${id} was not accepted, and took effect`);
        return;
      case 'refused':
        // All others say that nothing is wrong, or that nobody knows: people must not read "failed".
        if (told.code !== 'IDEMPOTENCY_KEY_FUTURE') this.#broken(`${id} is refused: ${told.code}`);
        if (expected !== undefined) this.#broken(`${id} is called refused, and took effect`);
        return;
      case 'unresolved':
        return;
    }
  }

  #broken(rule: string): void {
    this.#history.broken(rule);
  }
}

/** Another input than the one without it, although it looks the same to careless code. */
function hidesMember(input: Wish): boolean {
  return Object.hasOwn(input, '__proto__');
}
