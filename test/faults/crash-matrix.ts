import type { ProbePoint } from '@onceward/server';
import type { RelayHangPoint } from './relay-process.ts';
import type { WirePlace } from './wire-places.ts';

/** Where a process dies, numbered as in docs/crashes.md. The client has K1 to K4 for itself. */
export const crashPoints = {
  K5: 'before the store has decided',
  K6: 'reserved, and the answer of the store is lost',
  K7: 'reserved, before the effect',
  K8: 'in the middle of the effect',
  K9: 'after the effect, before it is recorded',
  K10: 'the record is on its way, or its answer is lost',
  K11: 'recorded, before the answer',
  K12: 'the answer is lost',
} as const;

export type CrashPoint = keyof typeof crashPoints;

/** What whoever comes next finds, and does. */
export type Aftermath =
  /** Nothing had happened: it executes. */
  | 'executes'
  /** The effect is there and known: it goes on after it. */
  | 'resumes'
  /** The effect is there and not known: it is asked for again, under the same key. */
  | 'repeats'
  /** All is over: it gets the first answer, or has nothing to do. */
  | 'replays'
  /** Nobody can know: it is refused until somebody brings evidence. */
  | 'unknown';

/** A place that a process can be stopped at from inside, or from the wire to its database. */
export type CrashPlace = ProbePoint | RelayHangPoint | WirePlace | 'in-effect' | 'answered';

export interface Crash<Place extends CrashPlace = CrashPlace> {
  readonly at: Place;
  readonly then: Aftermath;
}

/** The crashes at one point, or why there are none. */
export type Cell<Place extends CrashPlace = CrashPlace> =
  readonly Crash<Place>[] | { readonly none: string };
type Row<Place extends CrashPlace> = Readonly<Record<CrashPoint, Cell<Place>>>;

export type ServerPlace = ProbePoint | WirePlace | 'in-effect' | 'answered';
export type RelayPlace = RelayHangPoint | WirePlace;

const executes = dying('executes');
const resumes = dying('resumes');
const repeats = dying('repeats');
const replays = dying('replays');
const unknown = dying('unknown');
const afterwards = {
  K11: replays('after-complete'),
  K12: replays('answered'),
} as const;

const oneTransaction: Row<ServerPlace> = {
  K5: executes('before-reserve'),
  K6: { none: 'nothing is written before the commit' },
  K7: executes('after-reserve', 'before-execute'),
  K8: executes('in-effect'),
  K9: executes('after-execute', 'before-complete'),
  K10: [...executes('commit-held'), ...replays('commit-unanswered')],
  ...afterwards,
};

/** Mutations, by what they are made of: a server dies, another one gets the same intent. */
export const serverCrashes = {
  atomic: oneTransaction,
  /** An atomic mutation that enqueues a job, which a relay runs. */
  staged: oneTransaction,
  'transactional-steps': {
    K5: executes('before-reserve'),
    K6: executes('reserve-unanswered'),
    K7: executes('after-reserve', 'before-execute'),
    K8: executes('in-effect', 'commit-held'),
    K9: resumes('commit-unanswered', 'after-execute', 'before-complete'),
    K10: [...resumes('complete-held'), ...replays('complete-unanswered')],
    ...afterwards,
  },
  'outside-steps': {
    K5: executes('before-reserve'),
    K6: executes('reserve-unanswered'),
    K7: executes('after-reserve', 'before-execute'),
    K8: repeats('in-effect'),
    K9: [
      ...repeats('step-held'),
      ...resumes('step-unanswered', 'after-execute', 'before-complete'),
    ],
    K10: [...resumes('complete-held'), ...replays('complete-unanswered')],
    ...afterwards,
  },
  external: {
    K5: executes('before-reserve'),
    K6: unknown('reserve-unanswered'),
    K7: unknown('after-reserve', 'before-execute'),
    K8: unknown('in-effect'),
    K9: unknown('after-execute', 'before-complete'),
    K10: [...unknown('complete-held'), ...replays('complete-unanswered')],
    ...afterwards,
  },
} as const satisfies Record<string, Row<ServerPlace>>;

const nobodyWaits = { none: 'nobody waits for an answer of a relay' };

/** Jobs, by what their handlers touch: a relay dies, another one comes after it. */
export const relayCrashes = {
  transaction: {
    K5: executes('take-held'),
    K6: executes('take-unanswered'),
    K7: executes('after-take'),
    K8: executes('in-effect'),
    K9: executes('after-handler', 'before-done'),
    K10: [...executes('commit-held'), ...replays('commit-unanswered')],
    K11: replays('after-done'),
    K12: nobodyWaits,
  },
  outside: {
    K5: executes('take-held'),
    K6: executes('take-unanswered'),
    K7: executes('after-take'),
    K8: repeats('in-effect'),
    K9: repeats('after-handler', 'before-done'),
    K10: [...repeats('done-held'), ...replays('done-unanswered')],
    K11: replays('after-done'),
    K12: nobodyWaits,
  },
} as const satisfies Record<string, Row<RelayPlace>>;

/** Every crash of some rows, and what is known of it. */
export function crashesOf<Form extends string, Place extends CrashPlace>(
  rows: Readonly<Record<Form, Row<Place>>>,
) {
  const points = Object.keys(crashPoints) as CrashPoint[];
  return (Object.keys(rows) as Form[]).flatMap((form) =>
    points.flatMap((point) => {
      const cell: Cell<Place> = rows[form][point];
      return 'none' in cell ? [] : cell.map((crash) => ({ form, point, ...crash }));
    }),
  );
}

/** The matrix as a table of docs/crashes.md. */
export function matrixAsMarkdown(): string {
  const rows = Object.entries<Row<CrashPlace>>({
    '`atomic`': serverCrashes.atomic,
    '`atomic`, with a job': serverCrashes.staged,
    '`steps`, with transactions': serverCrashes['transactional-steps'],
    '`steps`, calling outside': serverCrashes['outside-steps'],
    '`external`': serverCrashes.external,
    'a job with a transaction': relayCrashes.transaction,
    'a job that calls outside': relayCrashes.outside,
  });
  const points = Object.keys(crashPoints) as CrashPoint[];
  const lines = [
    ['', ...points],
    points.map(() => '---').concat('---'),
    ...rows.map(([name, row]) => [name, ...points.map((point) => cellText(row[point]))]),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function cellText(cell: Cell): string {
  return 'none' in cell ? '—' : [...new Set(cell.map(({ then }) => then))].join(' or ');
}

function dying(then: Aftermath) {
  return <Place extends CrashPlace>(...places: Place[]): Crash<Place>[] =>
    places.map((at) => ({ at, then }));
}
