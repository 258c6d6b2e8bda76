import type { Completion } from '@onceward/core/store';
import type { Statement } from '../database/database.ts';
import type { RecordAddress } from '../record-address.ts';
import type { Claimed, Records } from '../records.ts';
import type { Claim } from '../sql/claim.ts';
import { type BatchEnd, BatchLane, type BatchLaneOptions, type BatchLimits } from './batch-lane.ts';
import { claims } from './claims.ts';
import { type CompletionItem, completions } from './completions.ts';
import { type FlightPlan, openBatch, planFlight } from './flight-plan.ts';

/** {@link Records} whose statements share commits with those of other callers. */
export interface BatchedRecords {
  for(scope: string): Records;
}

export interface BatchedRecordsOptions {
  /** Sends a batch of items in one round trip and one transaction, as it is planned then. */
  readonly sendFlight: <Item, Answer>(
    form: () => readonly Item[],
    plan: (items: readonly Item[]) => FlightPlan<Answer>,
  ) => Promise<BatchEnd<Answer>>;
  /** For what could not be sent together. */
  readonly alone: Records;
  /** Whether a connection is to be had at once. */
  readonly hasConnection: () => boolean;
  readonly limits: BatchLimits;
}

/**
 * A lane for each kind of change. Kept apart, because rows that are inserted and rows that are
 * updated by one transaction are locked in two orders, and batches of two servers met in a circle.
 */
export function batchedRecords({
  sendFlight,
  alone,
  hasConnection,
  limits,
}: BatchedRecordsOptions): BatchedRecords {
  const open = <Item, Answer>(
    plan: (items: readonly Item[]) => FlightPlan<Answer>,
    options: Pick<BatchLaneOptions<Item, Answer>, 'sendAlone' | 'order' | 'bytesOf'>,
    { maxItems }: Pick<BatchLimits, 'maxItems'> = limits,
  ) =>
    new BatchLane<Item, Answer>({
      ...options,
      sendBatch: (form) => sendFlight(form, plan),
      hasConnection,
      limits: { ...limits, maxItems },
    });

  const claiming = {
    sendAlone: ({ address, request }: Claim) => alone.claim(address, request),
    order: byAddress,
    bytesOf: () => CLAIM_BYTES,
  };
  const claimLane = open<Claim, Claimed | 'large'>((items) => planFlight(claims, items), claiming);
  // Large answers go one by one, two at a time, and in turns of their own.
  const largeLane = open<Claim, Claimed>(([claim]) => claims.one(claim!), claiming, {
    maxItems: 1,
  });
  const completionLane = open<CompletionItem, 'completed' | 'lease-lost'>(
    (items) => planFlight(completions, items),
    {
      sendAlone: ({ address, completing }) => alone.complete(address, completing),
      order: byAddress,
      bytesOf: ({ completing }) => bytesOfAnswer(completing.completion),
    },
  );
  const openStatements = () =>
    open<Statement, unknown[]>(planStatements, {
      sendAlone: ({ text, values }) => alone.query<unknown>(text, values),
      order: byFirstValue,
      bytesOf: bytesOfStatement,
    });
  const statementLanes = { update: openStatements(), select: openStatements() };

  return {
    for: (scope) => ({
      async claim(address, request) {
        const claimed = await claimLane.send(scope, { address, request });
        return claimed === 'large' ? largeLane.send(scope, { address, request }) : claimed;
      },
      complete: (address, completing) => completionLane.send(scope, { address, completing }),
      async query<Row>(text: string, values: readonly unknown[] = []) {
        return (await statementLanes[kindOf(text)].send(scope, { text, values })) as Row[];
      },
    }),
  };
}

/** What is rare is sent as it is, each statement beside the others. */
function planStatements(statements: readonly Statement[]): FlightPlan<unknown[]> {
  if (statements.length === 1) return { statements, read: (rows) => rows };
  return { statements: [openBatch, ...statements], read: ([, ...rows]) => rows };
}

function byAddress(
  { address: one }: { readonly address: RecordAddress },
  { address: other }: { readonly address: RecordAddress },
): number {
  return compare(one.table, other.table) || compare(one.id, other.id);
}

/** The first value of every statement about a record is its id. */
function byFirstValue({ values: [one] }: Statement, { values: [other] }: Statement): number {
  return compare(one as string, other as string);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function kindOf(text: string): 'update' | 'select' {
  const kind = text.slice(0, 6);
  if (kind === 'update' || kind === 'select') return kind;
  throw new Error('Only statements about one record can share a batch');
}

/** Scope and operation have their limits. */
const CLAIM_BYTES = 500;

/** About as many: those of a text are not counted one by one. */
function bytesOfAnswer({ outcome }: Completion): number {
  return CLAIM_BYTES + (outcome.kind === 'unavailable' ? 0 : outcome.answer.length);
}

function bytesOfStatement({ values }: Statement): number {
  return values.reduce<number>((sum, value) => sum + lengthOf(value), 0);
}

function lengthOf(value: unknown): number {
  return value instanceof Uint8Array || typeof value === 'string' ? value.length : 8;
}
