import { describe, expect, test } from 'vitest';
import { type Deferred, deferred } from '../../../../test/support/deferred.ts';
import { createVirtualClock } from '../../../../test/support/virtual-clock.ts';
import { type BatchEnd, BatchLane, type BatchLaneOptions, type BatchLimits } from './batch-lane.ts';

type Options = BatchLaneOptions<string, string>;

const answered = (id: string) => `answer to ${id}`;
const lane: Pick<Options, 'order' | 'bytesOf' | 'hasConnection'> = {
  hasConnection: () => false,
  order: (one, other) => (one < other ? -1 : Number(one > other)),
  bytesOf: (id) => id.length,
};
const limits: BatchLimits = {
  maxItems: 64,
  minShare: 64,
  maxBytes: 1_000,
  maxFlights: 1,
  lookMs: 100,
  maxConnecting: 2,
  maxWaiting: 100,
  maxWaitingOfScope: 90,
};

/** A lane over a connection that the test hands out, and a server that answers when it says so. */
function openLane(changed: Partial<BatchLimits> = {}) {
  const flights: { ids: readonly string[]; end: Deferred<BatchEnd<string>> }[] = [];
  const alone: string[] = [];
  const clock = createVirtualClock();
  const opened = new BatchLane<string, string>({
    ...lane,
    clock,
    sendBatch(form) {
      const end = deferred<BatchEnd<string>>();
      flights.push({ ids: form(), end });
      return end.promise;
    },
    sendAlone(id) {
      alone.push(id);
      return id === 'poison'
        ? Promise.reject(new Error('refused'))
        : Promise.resolve(`${answered(id)} alone`);
    },
    limits: { ...limits, ...changed },
  });
  return {
    clock,
    flights,
    alone,
    send: (id: string, scope = 'alice') => opened.send(scope, id),
    commit(at: number, answerTo: (id: string) => string | undefined = answered) {
      const { end, ids } = flights[at]!;
      end.resolve({ kind: 'committed', answers: ids.map(answerTo) });
    },
  };
}

describe('a lane', () => {
  test('sends what comes alone at once', () => {
    const { send, flights } = openLane();
    void send('1');
    expect(flights.map(({ ids }) => ids)).toEqual([['1']]);
  });

  test('forms the next batch while one is under way, and sorts it by record', async () => {
    const { send, flights, commit } = openLane();
    const first = send('1');
    const others = ['4', '2', '3', '2'].map((id) => send(id));
    expect(flights).toHaveLength(1);
    commit(0);
    expect(await first).toBe('answer to 1');
    await expect.poll(() => flights.length).toBe(2);
    expect(flights[1]?.ids).toEqual(['2', '2', '3', '4']);
    commit(1);
    expect(await Promise.all(others)).toEqual(['4', '2', '3', '2'].map(answered));
  });

  test('has so many batches under way, of so many items and bytes', async () => {
    const { send, flights, commit } = openLane({ maxFlights: 2, maxItems: 2, maxBytes: 10 });
    for (const id of ['1', '2', '3', '4', '5', 'as long as a batch may be', '7']) void send(id);
    expect(flights.map(({ ids }) => ids)).toEqual([['1'], ['2']]);
    for (let at = 0; at < 5; at++) {
      await expect.poll(() => flights.length).toBeGreaterThan(at);
      commit(at);
    }
    expect(flights.slice(2).map(({ ids }) => ids)).toEqual([
      ['3', '4'],
      ['5', 'as long as a batch may be'],
      ['7'],
    ]);
  });

  test('divides those who wait among the batches that can take them, unless they are few', async () => {
    const { send, flights, commit } = openLane({ maxFlights: 2, minShare: 3 });
    void send('a');
    void send('b');
    for (let id = 0; id < 8; id++) void send(`${id}`);
    commit(0);
    commit(1);
    await expect.poll(() => flights.length).toBe(4);
    expect(flights.slice(2).map(({ ids }) => ids.length)).toEqual([4, 4]);
    for (const id of ['x', 'y', 'z']) void send(id);
    commit(2);
    commit(3);
    await expect.poll(() => flights.at(4)?.ids).toEqual(['x', 'y', 'z']);
  });

  test('lets scopes take turns', async () => {
    const { send, flights, commit } = openLane({ maxItems: 3 });
    void send('0');
    for (let id = 1; id <= 5; id++) void send(`a${id}`, 'alice');
    void send('b1', 'bob');
    commit(0);
    await expect.poll(() => flights[1]?.ids).toEqual(['a1', 'a2', 'b1']);
  });

  test('refuses what it has no room for, and keeps the others', async () => {
    const { send, commit } = openLane({ maxWaiting: 1 });
    const first = send('1');
    const second = send('2');
    await expect(send('3')).rejects.toThrow(/^1 statements wait for the database/);
    commit(0);
    expect(await first).toBe('answer to 1');
    await expect.poll(() => (commit(1), second)).toBe('answer to 2');
  });

  test('does not let one scope fill the place of others', async () => {
    const { send } = openLane({ maxWaitingOfScope: 1 });
    for (const id of ['1', '2']) void send(id);
    await expect(send('3')).rejects.toThrow(/^1 statements of this scope wait for the database/);
    const waits = Promise.resolve('waits');
    expect(await Promise.race([send('4', 'bob'), waits])).toBe('waits');
  });

  test('sends alone what a batch has no answer for', async () => {
    const { send, commit, alone } = openLane();
    const first = send('1');
    commit(0, () => undefined);
    expect(await first).toBe('answer to 1 alone');
    expect(alone).toEqual(['1']);
  });
});

describe('when a batch fails', () => {
  test('and nothing was done, each item is sent on its own', async () => {
    const { send, flights, commit, alone } = openLane();
    void send('0');
    const batch = ['1', 'poison', '3'].map((id) => send(id));
    const results = Promise.allSettled(batch);
    commit(0);
    await expect.poll(() => flights.length).toBe(2);
    flights[1]?.end.resolve({ kind: 'undone' });
    expect((await results).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(alone).toEqual(['1', '3', 'poison']);
  });

  test('and nobody knows what was done, none is sent again', async () => {
    const { send, flights, alone } = openLane();
    const sent = send('1');
    flights[0]?.end.resolve({ kind: 'in-doubt', cause: new Error('connection reset') });
    await expect(sent).rejects.toThrow('connection reset');
    expect(alone).toEqual([]);
  });

  test('because there is no connection, whoever waits is told, and the next one tries again', async () => {
    let refuse = true;
    const opened = new BatchLane<string, string>({
      ...lane,
      sendBatch: async (form) => {
        if (refuse) throw new Error('connect ECONNREFUSED');
        return { kind: 'committed', answers: form().map(answered) };
      },
      sendAlone: () => Promise.reject(new Error('not now')),
      limits,
    });
    const sent = ['1', '2'].map((id) => opened.send('alice', id));
    for (const each of sent) await expect(each).rejects.toThrow('ECONNREFUSED');
    refuse = false;
    expect(await opened.send('alice', '3')).toBe('answer to 3');
  });

  test('because a connection was waited for in vain, who came meanwhile waits for the next one', async () => {
    const connections = [deferred<never>(), deferred<BatchEnd<string>>()];
    let asked = 0;
    const opened = new BatchLane<string, string>({
      ...lane,
      sendBatch: (form) => connections[asked++]!.promise.then((end) => (form(), end)),
      sendAlone: () => Promise.reject(new Error('not now')),
      limits,
    });
    const first = opened.send('alice', '1');
    const second = opened.send('alice', '2');
    connections[0]!.reject(new Error('timeout exceeded when trying to connect'));
    await expect(first).rejects.toThrow('timeout exceeded');
    connections[1]!.resolve({ kind: 'committed', answers: ['answer to 2'] });
    expect(await second).toBe('answer to 2');
  });
});

describe('a flight that does not come back', () => {
  test('gives up its turn, and keeps its passengers', async () => {
    const { clock, send, flights, commit } = openLane();
    const stuck = send('1');
    const second = send('2');
    await clock.advance(199);
    expect(flights).toHaveLength(1);
    await clock.advance(1);
    expect(flights.map(({ ids }) => ids)).toEqual([['1'], ['2']]);
    commit(1);
    expect(await second).toBe('answer to 2');
    commit(0);
    expect(await stuck).toBe('answer to 1');
  });

  test('does not take another turn when it is back', async () => {
    const { clock, send, flights, commit } = openLane();
    for (const id of ['1', '2']) void send(id);
    await clock.advance(200);
    void send('3');
    commit(0);
    await clock.advance(0);
    expect(flights).toHaveLength(2);
  });

  test('does not keep others from going, however many there are', async () => {
    const { clock, send, flights } = openLane({ maxFlights: 2 });
    for (let id = 0; id < 10; id++) {
      void send(`${id}`);
      await clock.advance(200);
    }
    expect(flights.map(({ ids }) => ids)).toEqual(Array.from({ length: 10 }, (_, id) => [`${id}`]));
  });

  test('is looked for only while somebody waits', async () => {
    const { clock, send, commit } = openLane();
    void send('1');
    expect(clock.pending()).toBe(0);
    void send('2');
    expect(clock.pending()).toBe(1);
    commit(0);
    await clock.advance(200);
    expect(clock.pending()).toBe(0);
  });
});

describe('a flight that gets no connection', () => {
  /** A lane that asks for connections, which nobody has before the test says so. */
  function openConnecting(changed: Partial<Options> = {}) {
    const clock = createVirtualClock();
    const asked: Deferred<void>[] = [];
    const opened = new BatchLane<string, string>({
      ...lane,
      clock,
      async sendBatch(form) {
        asked.push(deferred());
        await asked.at(-1)!.promise;
        return { kind: 'committed', answers: form().map(answered) };
      },
      sendAlone: () => Promise.reject(new Error('not now')),
      limits: { ...limits, maxConnecting: 3 },
      ...changed,
    });
    return { clock, asked, send: (id: string) => opened.send('alice', id) };
  }

  test('has a second, and is followed by a few, not by one for each that waits', async () => {
    const { clock, asked, send } = openConnecting();
    for (let id = 0; id < 20; id++) void send(`${id}`);
    await clock.advance(999);
    expect(asked).toHaveLength(1);
    await clock.advance(1);
    expect(asked).toHaveLength(2);
    await clock.advance(10_000);
    expect(asked).toHaveLength(3);
  });

  test('is one, however long a lone item waits: nobody else needs one', async () => {
    const { clock, asked, send } = openConnecting({ limits: { ...limits, maxFlights: 2 } });
    void send('1');
    await clock.advance(999);
    expect(asked).toHaveLength(1);
  });

  test('keeps nobody from a connection that is there', async () => {
    let hasConnection = false;
    const { clock, asked, send } = openConnecting({ hasConnection: () => hasConnection });
    void send('1');
    await clock.advance(10_000);
    expect(asked).toHaveLength(3);
    hasConnection = true;
    const second = send('2');
    expect(asked).toHaveLength(4);
    asked[3]!.resolve();
    expect(await second).toBe('answer to 2');
  });

  test('takes as many with it as a batch has, where others fly', async () => {
    const landing = deferred();
    let flights = 0;
    const opened = new BatchLane<string, string>({
      ...lane,
      async sendBatch(form) {
        const flight = flights++;
        if (flight === 2) throw new Error('too many clients already');
        const answers = form().map(answered);
        if (flight === 0) await landing.promise;
        return { kind: 'committed', answers };
      },
      sendAlone: () => Promise.reject(new Error('not now')),
      limits: { ...limits, maxFlights: 2, maxItems: 1 },
    });
    const sent = ['1', '2', '3', '4'].map((id) => opened.send('alice', id));
    await expect(sent[2]).rejects.toThrow('too many clients already');
    expect(await sent[3]).toBe('answer to 4');
    landing.resolve();
    expect(await sent[0]).toBe('answer to 1');
  });
});
