import { describe, expect, test } from 'vitest';
import { type Deferred, deferred } from '../../../../test/support/deferred.ts';
import type { Statement } from '../database/database.ts';
import { type BatchEnd, BatchLane, type BatchLimits } from './batch-lane.ts';

const answered = (statement: Statement) => [`rows of ${String(statement.values[0])}`];

/** A lane over a connection that the test hands out, and a server that answers when it says so. */
function openLane(limits: Partial<BatchLimits> = {}) {
  const flights: { ids: unknown[]; statements: readonly Statement[]; end: Deferred<BatchEnd> }[] =
    [];
  const alone: unknown[] = [];
  const lane = new BatchLane({
    sendBatch(form) {
      const statements = form();
      const end = deferred<BatchEnd>();
      flights.push({ ids: statements.map(({ values }) => values[0]), statements, end });
      return end.promise;
    },
    sendAlone(statement) {
      alone.push(statement.values[0]);
      return statement.values[0] === 'poison'
        ? Promise.reject(new Error('refused'))
        : Promise.resolve(answered(statement));
    },
    limits: { maxStatements: 64, maxBytes: 1_000, maxFlights: 1, maxWaiting: 100, ...limits },
  });
  return {
    lane,
    flights,
    alone,
    send: (id: string, scope = 'alice') => lane.send(scope, { text: 'update', values: [id] }),
    commit(at: number) {
      const { end, statements } = flights[at]!;
      end.resolve({ kind: 'committed', rows: statements.map(answered) });
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
    expect(await first).toEqual(['rows of 1']);
    await expect.poll(() => flights.length).toBe(2);
    expect(flights[1]?.ids).toEqual(['2', '2', '3', '4']);
    commit(1);
    expect(await Promise.all(others)).toEqual(['4', '2', '3', '2'].map((id) => [`rows of ${id}`]));
  });

  test('has so many batches under way, of so many statements and bytes', async () => {
    const { send, flights, commit } = openLane({ maxFlights: 2, maxStatements: 2, maxBytes: 10 });
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

  test('lets scopes take turns', async () => {
    const { send, flights, commit } = openLane({ maxStatements: 3 });
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
    expect(await first).toEqual(['rows of 1']);
    await expect.poll(() => (commit(1), second)).toEqual(['rows of 2']);
  });
});

describe('when a batch fails', () => {
  test('and nothing was done, each statement is sent on its own', async () => {
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
    const lane = new BatchLane({
      sendBatch: async (form) => {
        if (refuse) throw new Error('connect ECONNREFUSED');
        return { kind: 'committed', rows: form().map(answered) };
      },
      sendAlone: () => Promise.reject(new Error('not now')),
      limits: { maxStatements: 64, maxBytes: 1_000, maxFlights: 1, maxWaiting: 100 },
    });
    const sent = ['1', '2'].map((id) => lane.send('alice', { text: 'update', values: [id] }));
    for (const each of sent) await expect(each).rejects.toThrow('ECONNREFUSED');
    refuse = false;
    expect(await lane.send('alice', { text: 'update', values: ['3'] })).toEqual(['rows of 3']);
  });
});
