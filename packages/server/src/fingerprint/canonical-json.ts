import { IdempotencyError, type InputProblem } from '@onceward/core';

export interface CanonicalJsonOptions {
  /** Levels of nesting. @defaultValue `64` */
  maxDepth?: number;
  /** Values of any kind, counted as they are written. @defaultValue `1_000_000` */
  maxValues?: number;
  /**
   * Writes an object that JSON has no form for, such as bytes; `undefined` to refuse it.
   *
   * What it returns must not read as JSON, or two different values could have one text.
   */
  writeOther?: (value: object) => string | undefined;
  /** What `writeOther` has put aside: its end is forgotten when a part is written once more. */
  aside?: unknown[];
}

/**
 * Writes a value as RFC 8785 JSON: equal values have one text, whatever the order of members.
 *
 * What would give two different inputs the same text is refused, not rounded or dropped: a number
 * whose digits were lost when it was parsed, half of a surrogate pair, an object that JSON would
 * write as `{}`. Like `JSON.stringify`, it honours `toJSON`, leaves out members that are
 * `undefined`, and writes `null` for such elements.
 *
 * @throws IdempotencyError `IDEMPOTENCY_INPUT_INVALID`, whose details name the problem
 */
export function canonicalJson(value: unknown, options: CanonicalJsonOptions = {}): string {
  return write(value, 0, startWalk(options)) ?? refuse('not-json');
}

export function startWalk(options: CanonicalJsonOptions): Walk {
  return {
    maxDepth: options.maxDepth ?? 64,
    writeOther: options.writeOther ?? nothingElse,
    aside: options.aside ?? [],
    ancestors: new Array<object>(usualDepth),
    unitsBefore: new Array<number>(usualDepth),
    stoppedAt: 0,
    shapes: [],
    valuesLeft: options.maxValues ?? 1_000_000,
    unitsLeft: unlimited,
  };
}

/** Deeper inputs make room for themselves. V8 gives an array that begins empty room for seventeen. */
const usualDepth = 4;

/** More than any input has. V8 keeps a whole number of this size in the object, `Infinity` beside it. */
const unlimited = 2 ** 30;

const nothingElse = () => undefined;

/** What one call keeps track of. */
export interface Walk {
  readonly maxDepth: number;
  readonly writeOther: (value: object) => string | undefined;
  readonly aside: unknown[];
  readonly ancestors: object[];
  /** By depth, how much might be written when the ancestor was entered. */
  readonly unitsBefore: number[];
  /** The depth at which it became too much. */
  stoppedAt: number;
  /** By depth, the last object's: a list mostly holds objects with the same members. */
  readonly shapes: Shape[];
  valuesLeft: number;
  /** How much may be written in one go: about a value each, or {@link unitLength} of a text. */
  unitsLeft: number;
}

/** Thrown to whoever limited what may be written in one go. */
export const tooMuchAtOnce = Symbol('too much at once');

/** Characters that take about as long as a value. */
const unitLength = 64;
const unitShift = Math.log2(unitLength);

/** Writes any value; `undefined` where JSON has none to write. */
export function write(value: unknown, depth: number, walk: Walk): string | undefined {
  walk.valuesLeft -= 1;
  if (walk.valuesLeft < 0) refuse('too-large');
  walk.unitsLeft -= 1;
  // Before the value and not after it: one that is too long by itself is written all the same.
  if (walk.unitsLeft < 0) {
    walk.stoppedAt = depth;
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- no failure, so it needs no stack
    throw tooMuchAtOnce;
  }
  switch (typeof value) {
    case 'string':
      walk.unitsLeft -= (value.length + unitLength / 2) >> unitShift;
      return writeString(value);
    case 'number':
      return writeNumber(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      return value === null ? 'null' : writeObject(value, depth, walk);
    case 'undefined':
      return undefined;
    case 'bigint':
    case 'function':
    case 'symbol':
      return refuse('not-json');
  }
}

function writeObject(value: object, depth: number, walk: Walk): string | undefined {
  enter(value, depth, walk);
  if (!Array.isArray(value) && !isPlain(value)) {
    // Before `toJSON`: a Buffer has one, which would make it equal to an object that looks like it.
    const other = walk.writeOther(value);
    if (other !== undefined) return other;
  }
  if (!hasToJson(value)) return writeContainer(value, depth, walk);
  const replacement = value.toJSON('');
  return typeof replacement === 'object' && replacement !== null
    ? writeContainer(replacement, depth, walk)
    : write(replacement, depth, walk);
}

/** Goes down one level, unless that is one too deep. */
export function enter(value: object, depth: number, walk: Walk): void {
  if (depth >= walk.maxDepth) refuse(walk.ancestors.includes(value) ? 'not-json' : 'too-deep');
  walk.ancestors[depth] = value;
  walk.unitsBefore[depth] = walk.unitsLeft;
}

export function hasToJson(value: object): value is { toJSON(key: string): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

function writeContainer(value: object, depth: number, walk: Walk): string {
  if (Array.isArray(value)) return writeArray(value, depth + 1, walk);
  if (isPlain(value)) return writeMembers(value, depth + 1, walk);
  return refuse('not-json');
}

function writeArray(elements: readonly unknown[], depth: number, walk: Walk): string {
  let text = '[';
  for (let index = 0; index < elements.length; index += 1) {
    if (index > 0) text += ',';
    text += write(elements[index], depth, walk) ?? 'null';
  }
  return text + ']';
}

/** Only own members count, and all of them do: `__proto__` and `constructor` are names like any. */
function writeMembers(
  object: Readonly<Record<string, unknown>>,
  depth: number,
  walk: Walk,
): string {
  const { names, labels } = shapeOf(Object.keys(object), depth, walk);
  let text = '{';
  let separator = '';
  for (let index = 0; index < names.length; index += 1) {
    const member = write(object[names[index]!], depth, walk);
    if (member === undefined) continue;
    text += separator + labels[index]! + member;
    separator = ',';
  }
  return text + '}';
}

/** The members of an object, ready to be written. */
interface Shape {
  /** As the object has them. */
  readonly unsorted: readonly string[];
  /** By UTF-16 code units, as RFC 8785 asks and `sort()` does. */
  readonly names: readonly string[];
  /** Each name in quotes, with its colon. */
  readonly labels: readonly string[];
}

/** Sorting and quoting names is half of the work, so it is done once per run of equal shapes. */
export function shapeOf(unsorted: readonly string[], depth: number, walk: Walk): Shape {
  const last = walk.shapes[depth] ?? lastShapes[depth];
  if (last && isSameList(last.unsorted, unsorted)) return last;

  const names = [...unsorted].sort();
  const labels = names.map((name) => writeString(name) + ':');
  const shape = { unsorted, names, labels };
  if (isSmall(unsorted)) lastShapes[depth] = shape;
  return (walk.shapes[depth] = shape);
}

/** By depth, the last small one of earlier inputs. Holds names of members, never values. */
const lastShapes: Shape[] = [];

/** What is kept for later must not be large. */
function isSmall(names: readonly string[]): boolean {
  return names.length <= 32 && names.every(({ length }) => length <= 64);
}

function isSameList(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index += 1) {
    if (left[index] !== right[index]) return false;
  }
  return true;
}

/** A text as `canonicalJson` writes it. */
export function writeString(text: string): string {
  // Nearly every string is its own JSON; asking first is three times faster than JSON.stringify.
  if (!needsCare.test(text)) return '"' + text + '"';
  if (loneSurrogate.test(text)) refuse('lone-surrogate');
  return JSON.stringify(text);
}

/** Controls, quotes, backslashes and surrogates. */
const needsCare = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;
const loneSurrogate = /\p{Surrogate}/u;

function writeNumber(number: number): string {
  // From 2^53 on, neighbouring whole numbers are parsed to the same value.
  if (Math.abs(number) < 2 ** 53) return String(number);
  return refuse(Number.isFinite(number) ? 'unsafe-integer' : 'not-finite');
}

/** An object literal, or one without prototype; also from another realm, as in a test runner. */
export function isPlain(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    prototype === Object.prototype ||
    prototype === null ||
    Object.getPrototypeOf(prototype) === null
  );
}

export function refuse(problem: InputProblem): never {
  const message = messages[problem];
  throw new IdempotencyError('IDEMPOTENCY_INPUT_INVALID', { problem }, { message });
}

/** None of them repeats the input: errors are logged, and inputs are private. */
const messages: Record<InputProblem, string> = {
  'too-deep': 'The input is nested too deeply to tell it from another one. Flatten it.',
  'too-large': 'The input has too many values to tell it from another one. Send it in parts.',
  'lone-surrogate':
    'The input contains half of a surrogate pair, which is lost in UTF-8. Send whole characters.',
  'not-finite':
    'The input contains a number that is not finite: NaN, or one too large to be read as a number.',
  'unsafe-integer':
    'The input contains a whole number beyond 2^53, whose last digits are lost when it is read. ' +
    'Send it as a string.',
  'not-json':
    'The input contains something JSON has no form for: a bigint, a function, a Map, an instance ' +
    'of a class, or a circular reference. Send plain values.',
};
