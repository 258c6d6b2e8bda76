import { createKeyMinter, type IdempotencyKey } from '@onceward/core';
import type { JournalRow, Tabs } from '@onceward/core/journal';
import { createVirtualClock } from '../../../../test/support/virtual-clock.ts';
import { DeliveryError } from '../../src/delivery-error.ts';
import { describeFailure } from '../../src/failure.ts';
import type { Channel } from '../../src/journal/channel.ts';
import { createJournal, type Journal } from '../../src/journal/journal.ts';
import { JournalError } from '../../src/journal/journal-error.ts';
import { memoryJournal } from '../../src/journal/memory-journal.ts';
import type { BodyCodec } from '../../src/journal/record-body.ts';
import { nobody } from '../../src/journal/server-time.ts';
import type { SettledIntent } from '../../src/journal/settled-intent.ts';
import { createMemoryTabs, turns } from '../journal-fixture.ts';
import { never, openBank } from './bank.ts';
import { Rules, secret, type Told } from './rules.ts';
import { damages, type Schedule, type Step, type User, users } from './schedule.ts';
import { type Disturbance, type StoreWatcher, watchedStore, type Writer } from './watched-store.ts';

/** Lives through a schedule. Resolves with every rule that was broken. */
export async function liveThrough(schedule: Schedule): Promise<readonly string[]> {
  const world = new World(schedule);
  world.open('fine');
  for (const step of schedule.steps) {
    await world.take(step);
    if (world.rules.violations.length > 0) return world.rules.violations;
  }
  await world.heal();
  return world.rules.violations;
}

class World implements StoreWatcher {
  readonly rules: Rules;
  readonly #schedule: Schedule;
  readonly #clock = createVirtualClock(Date.UTC(2026, 0, 1));
  readonly #store = memoryJournal();
  readonly #bank;
  /** Each user's pages elect one of their own. */
  readonly #connect = { alice: createMemoryTabs(), bob: createMemoryTabs() };
  readonly #pages: Page[] = [];
  readonly #networkListeners = new Set<() => void>();
  /** The ids of what was submitted, with whose it is. */
  readonly #accepted: { id: string; scope: User; seq: number }[] = [];
  #user: User = 'alice';
  #online = true;
  #writesFail = false;
  #readsFail = false;
  /** How far the device's clock is off; and how far it was when the server's was written down. */
  #skewMs = 0;
  #keptSkewMs = NaN;
  #clockSettings = 0;
  #calls = 0;
  #submissions = 0;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
    this.rules = new Rules(schedule);
    this.#bank = openBank(this.#clock, {
      takesEffect: ({ id, key }) => this.rules.takesEffect(id, key),
      refuses: ({ id, key }, why) => this.rules.refusedKey(id, key, why),
    });
  }

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case 'submit':
        return this.#submit(step);
      case 'cancel':
        return this.#cancel(step.intent);
      case 'damage':
        return this.#damage(step);
      case 'resolve':
        return this.#resolve(step);
      case 'open':
        return this.#living(this.#user).length < 3 ? this.open(step.handlers) : undefined;
      case 'kill':
      case 'close':
      case 'pause':
      case 'resume':
        return this.#touch(step);
      case 'kill-in': {
        const disturbance = this.#page(step.page)?.disturbance;
        if (disturbance) Object.assign(disturbance, { killIn: step.calls, killWhen: step.when });
        return;
      }
      case 'fates':
        return void this.#bank.fates.push(...step.fates);
      case 'online':
        return this.#setOnline(step.is);
      case 'writes-fail':
        this.#writesFail = step.is;
        return;
      case 'reads-fail':
        this.#readsFail = step.is;
        return;
      case 'advance':
        return this.#pass(step.ms);
      case 'suspend':
        await this.#pass(0);
        return this.#clock.jump(step.ms);
      case 'set-clock':
        await this.#pass(0);
        this.#skewMs += step.ms;
        this.rules.clockSet();
        return;
      case 'sign-in':
        this.#user = step.user;
        if (this.#living(step.user).length === 0) this.open('fine');
        return;
      case 'depose':
        return this.#connect[step.user].depose(step.user);
      case 'turn':
        return Promise.resolve();
    }
  }

  /** All is well from now on: everything must come to its end. */
  async heal(): Promise<void> {
    this.#writesFail = false;
    this.#readsFail = false;
    this.#bank.fates.length = 0;
    for (const page of this.#pages) {
      page.disturbance.killIn = 0;
      page.handlersFail = false;
    }
    this.#setOnline(true);
    await this.#pass(0);
    for (const user of users) {
      this.#user = user;
      if (this.#schedule.restart) for (const page of this.#living(user)) page.kill();
      for (const { journal } of this.#living(user)) journal.resume();
      // What a page wrote before it died, and told nobody, is found by the next that opens.
      this.open('fine');
      await this.#pass(10_800_000);
    }
    this.rules.checkEnd();
    // A page that hears nothing cannot know what others have resolved.
    if (this.#schedule.tabs === 'all lead, and are deaf') return;
    for (const page of this.#pages) {
      const waiters = [...page.waiters].filter(
        (id) => !page.dead && !this.rules.isHeldUp(id) && !this.rules.isUnnoticed(id),
      );
      if (waiters.length > 0) this.rules.violations.push('liveness: a waiter waits');
    }
  }

  open(handlers: 'none' | 'fine' | 'failing'): void {
    const scope = this.#user;
    const tabs = this.#connect[scope]();
    const page = new Page(scope, () => tabs.leave(), this.#disturbance());
    this.#pages.push(page);
    const watched = watchedStore(this.#store, this, page.disturbance);
    this.rules.opened(page.disturbance);
    page.journal = createJournal({
      store: {
        ...watched,
        tabs: this.#tabsOf(tabs),
        list: async (owner) => {
          const rows = await watched.list(owner);
          // Unless the clock was so far ahead that it had better not be trusted to be.
          if (owner === nobody && this.#keptSkewMs < hour * 10)
            page.learn(this.#keptSkewMs, this.rules.moment);
          return rows;
        },
      },
      scope: () => this.#user,
      refresh: async () => {},
      maxRecords: this.#schedule.maxRecords,
      keepSettledMs: 1e15,
      codec: this.#schedule.codec ? this.#codecOf(page) : undefined,
      clock: {
        now: () => this.#clock.now() + this.#skewMs,
        setTimer: (callback, ms) => this.#clock.setTimer(() => page.dead || callback(), ms),
      },
      network: {
        online: () => this.#online,
        listen: (listener) => {
          this.#networkListeners.add(listener);
          return () => void this.#networkListeners.delete(listener);
        },
      },
      random: () => 0.5,
      newKeys: (now) => this.#keysOf(page, now),
    });
    page.journal.connect('bank', this.#channelOf(page));
    page.handlersFail = handlers === 'failing';
    if (handlers !== 'none') page.journal.onSettled('pay', (ended) => this.#handle(page, ended));
  }

  wrote(row: JournalRow, writer: Writer): void {
    if (row.scope === nobody) this.#keptSkewMs = this.#skewMs;
    else this.rules.wrote(row, writer);
  }

  removed(seq: number): void {
    this.rules.removed(seq);
  }

  /**
   * As little randomness as there can be: as long as a page thinks that its clock is as far off as
   * it was, only the time and a count keep its keys apart.
   */
  #keysOf(page: Page, now: () => number): () => IdempotencyKey {
    const offsetMs = () => now() - this.#clock.now() - this.#skewMs;
    const random = (bytes: Uint8Array) => {
      const setting = `${this.#skewMs} ${offsetMs()}`;
      if (setting !== page.clock.setting) page.clock = { setting, number: ++this.#clockSettings };
      return bytes.fill(page.clock.number);
    };
    const mint = createKeyMinter({ now, random });
    page.serverNow = now;
    return () => {
      const key = mint();
      const { learned } = page;
      const timely = learned.skewMs === this.#skewMs && this.rules.moment > learned.at;
      this.rules.minted(key, timely);
      return key;
    };
  }

  #disturbance(): Omit<Disturbance, 'kill' | 'isDead'> {
    const { turns } = this.#schedule;
    return {
      turns: () => turns[this.#calls++ % turns.length] ?? 0,
      killIn: 0,
      killWhen: 'before',
      writesFail: () => this.#writesFail,
      readsFail: () => this.#readsFail,
    };
  }

  #codecOf({ disturbance }: Page): BodyCodec {
    const code = async (text: string) => {
      await turns(disturbance.turns());
      return text;
    };
    return { encode: code, decode: code };
  }

  #tabsOf(tabs: Tabs): Tabs {
    if (this.#schedule.tabs === 'one leads') return tabs;
    const campaign: Tabs['campaign'] = (_, events) => {
      events.elected();
      return () => {};
    };
    if (this.#schedule.tabs === 'all lead') return { ...tabs, campaign };
    return { campaign, announce() {}, listen: () => () => {} };
  }

  #channelOf(page: Page): Channel {
    return {
      send: async (input, attempt, { id, attempts }) => {
        const key = attempt.takeKey();
        if (page.dead || !key) return never();
        this.rules.departs({
          page: page.disturbance,
          id,
          key,
          input,
          number: attempt.number,
          attempts,
          scope: page.scope,
          user: this.#user,
          serverNow: page.serverNow(),
          closed: page.closed,
        });
        try {
          const answer = await this.#bank.request({ id, key, input });
          return page.dead ? await never() : answer;
        } catch (error) {
          if (tellsTime(error)) page.learn(this.#skewMs, this.rules.moment);
          // As HTTP clients do, which hand back the request with its headers.
          throw Object.assign(error as Error, { authorization: secret });
        }
      },
      describeFailure,
      preserve: (error: unknown) => ({ message: String(error) }),
      revive: (preserved: { message: string }) => new Error(preserved.message),
    };
  }

  async #handle(page: Page, ended: SettledIntent): Promise<void> {
    await Promise.resolve();
    if (page.dead) return never();
    if (page.handlersFail) throw new Error('the application is not ready');
    const told = ended.kind === 'succeeded' ? { as: ended.kind } : toldBy(ended.error);
    this.rules.told(ended.record.id, told);
  }

  #submit({ page: index, lane, after, intent }: Extract<Step, { do: 'submit' }>): void {
    const page = this.#page(index);
    if (!page) return;
    const earlier = this.#pick(after, page.scope);
    const input = { order: intent ?? ++this.#submissions, authorization: 'by header' };
    const submitted = page.journal.submit({
      channel: 'bank',
      operation: 'pay',
      input,
      lane,
      intent,
      after: earlier ? [earlier.id] : [],
      meta: { after: earlier?.id },
    });
    submitted.then(
      ({ record, settled }) => {
        if (page.dead) return;
        this.#accepted.push({ id: record.id, scope: page.scope, seq: record.seq });
        page.waiters.add(record.id);
        const tell = (told: Told) => {
          if (page.dead) return;
          page.waiters.delete(record.id);
          this.rules.told(record.id, page.closed ? { ...told, as: 'closed' } : told);
        };
        settled.then(
          () => tell({ as: 'succeeded' }),
          (error: unknown) => tell(toldBy(error)),
        );
      },
      (error: unknown) => {
        if (!JournalError.is(error)) this.rules.violations.push(`submit: ${String(error)}`);
      },
    );
  }

  #cancel(index: number): void {
    const { id, page } = this.#aim(index);
    if (!id || !page) return;
    page.journal.cancel(id).then(
      (cancellation) => {
        if (!page.dead && cancellation === 'cancelled') this.rules.cancelled(id);
      },
      () => {},
    );
  }

  #resolve({ intent, as }: Extract<Step, { do: 'resolve' }>): void {
    const { id, page } = this.#aim(intent);
    if (!id || !page) return;
    const record = page.journal.records().find((known) => known.id === id);
    if (record?.state !== 'unresolved') return;
    if (as === 'send-again') this.rules.sentAgain(id);
    page.journal.resolve(id, as).catch(() => {});
  }

  async #damage({ intent, how, told }: Extract<Step, { do: 'damage' }>): Promise<void> {
    await this.#pass(0);
    const { id, seq = 0, scope = 'alice' } = this.#aim(intent);
    const current = await this.#store.get(seq);
    if (!id || !current) return;
    this.rules.damaged(id, told);
    const body = damages[how](current.body);
    const { row } = await this.#store.update({ ...current, body });
    if (!told) return;
    const later = this.#connect[scope]();
    later.announce({ seq, row });
    later.leave();
  }

  #touch({ do: what, page: index }: { do: 'kill' | 'close' | 'pause' | 'resume'; page: number }) {
    const page = this.#page(index);
    if (what === 'kill') page?.kill();
    else if (what === 'close') page?.close();
    else page?.journal[what]();
  }

  #setOnline(online: boolean): void {
    this.#online = online;
    for (const listener of this.#networkListeners) listener();
  }

  async #pass(ms: number): Promise<void> {
    await this.#clock.advance(ms);
    this.rules.check();
  }

  #living(scope: string): Page[] {
    return this.#pages.filter((page) => page.scope === scope && !page.dead && !page.closed);
  }

  #page(index: number): Page | undefined {
    const living = this.#pages.filter(({ dead, closed }) => !dead && !closed);
    return living[index % living.length];
  }

  #pick(index: number | null, scope: string) {
    const own = this.#accepted.filter((intent) => intent.scope === scope);
    return index === null ? undefined : own[index % own.length];
  }

  /** An intent, and a page of its user. */
  #aim(index: number): { id?: string; seq?: number; scope?: User; page?: Page | undefined } {
    const intent = this.#accepted[index % this.#accepted.length];
    return intent ? { ...intent, page: this.#living(intent.scope)[0] } : {};
  }
}

class Page {
  readonly scope: User;
  readonly disturbance: Disturbance;
  readonly #leave: () => void;
  journal!: Journal;
  serverNow = () => 0;
  /** How far the clock was off when the server said what time it is, and when that was heard. */
  learned = { skewMs: NaN, at: 0 };
  /** How its clock was set when it last made a key, and which setting of any page that was. */
  clock = { setting: '', number: 0 };
  handlersFail = false;
  /** The ids of what somebody waits for. */
  readonly waiters = new Set<string>();
  dead = false;
  closed = false;

  constructor(scope: User, leave: () => void, disturbance: Omit<Disturbance, 'kill' | 'isDead'>) {
    this.scope = scope;
    this.#leave = leave;
    this.disturbance = Object.assign(disturbance, {
      kill: () => this.kill(),
      isDead: () => this.dead,
    });
  }

  learn(skewMs: number, at: number): void {
    this.learned = { skewMs, at };
  }

  kill(): void {
    this.dead = true;
    this.#leave();
  }

  close(): void {
    this.closed = true;
    this.journal.close();
  }
}

function toldBy(error: unknown): Told {
  if (!DeliveryError.is(error)) return { as: 'failed' };
  const { execution, reason } = error;
  if (reason === 'executed') return { as: 'succeeded', execution };
  return { as: reason === 'aborted' ? 'failed' : 'unresolved', execution };
}

/** Whether the server has said what time it is. */
function tellsTime(error: unknown): boolean {
  const failure = describeFailure(error);
  if (failure.kind === 'http') return Boolean(failure.headers?.date);
  return failure.kind === 'idempotency' && 'serverTimeMs' in failure.error.details;
}

const hour = 3_600_000;
