import {
  type CanonicalJsonOptions,
  enter,
  hasToJson,
  isPlain,
  refuse,
  shapeOf,
  startWalk,
  tooMuchAtOnce,
  type Walk,
  write,
} from './canonical-json.ts';

/**
 * Writes what `canonicalJson` writes, in pieces that each take a millisecond or so: whoever asks for
 * the next one decides what else may happen before.
 *
 * A part is written in one go if that is possible. If it turns out to be too much, it is opened, and
 * its parts are written one after the other.
 */
export function* canonicalPieces(
  value: unknown,
  options: CanonicalJsonOptions = {},
): Generator<string, void> {
  const piece: Piece = { text: '', units: 0 };
  const place: Place = { depth: 0, walk: startWalk(options), piece, large: new WeakSet() };
  const written = writeAtOnce(value, place);
  if (written === undefined) refuse('not-json');
  if (written === tooMuchAtOnce) yield* partsOf(value, place);
  else piece.text = written;
  yield piece.text;
}

/** What `canonicalJson` writes, unless that takes more than two milliseconds or so. */
export function canonicalAtOnce(
  value: unknown,
  options: CanonicalJsonOptions = {},
): string | undefined {
  const walk = startWalk(options);
  walk.unitsLeft = 2 * unitsAtOnce;
  try {
    return write(value, 0, walk) ?? refuse('not-json');
  } catch (thrown) {
    if (thrown !== tooMuchAtOnce) throw thrown;
    walk.aside.length = 0;
    return undefined;
  }
}

/** About a millisecond of work. */
const unitsAtOnce = 5_000;

interface Piece {
  text: string;
  /** What it took to write it. */
  units: number;
}

interface Place {
  readonly depth: number;
  readonly walk: Walk;
  readonly piece: Piece;
  /** What is known to be worth opening: to try it first, on every level, would be most of the work. */
  readonly large: WeakSet<object>;
}

/** A container that is too much at once. */
function* partsOf(value: unknown, place: Place): Generator<string, void> {
  const object = value as object;
  enter(object, place.depth, place.walk);
  // Asked once more, and may say something else now.
  const container: unknown = hasToJson(object) ? object.toJSON('') : object;
  const inside = { ...place, depth: place.depth + 1 };
  if (Array.isArray(container)) yield* elementsOf(container, inside);
  else if (isPlainObject(container)) yield* membersOf(container, inside);
  else refuse('not-json');
}

function* elementsOf(elements: readonly unknown[], place: Place): Generator<string, void> {
  const { piece } = place;
  let before = '[';
  for (const element of elements) {
    const written = writeAtOnce(element, place);
    piece.text += before;
    before = ',';
    if (written === tooMuchAtOnce) yield* partsOf(element, place);
    else piece.text += written ?? 'null';
    if (piece.units >= unitsAtOnce) yield taken(piece);
  }
  piece.text += before === '[' ? '[]' : ']';
}

function* membersOf(
  object: Readonly<Record<string, unknown>>,
  place: Place,
): Generator<string, void> {
  const { piece } = place;
  const { names, labels } = shapeOf(Object.keys(object), place.depth, place.walk);
  let before = '{';
  for (const [index, name] of names.entries()) {
    const member = object[name];
    const written = writeAtOnce(member, place);
    if (written === undefined) continue;
    piece.text += before + labels[index]!;
    before = ',';
    if (written === tooMuchAtOnce) yield* partsOf(member, place);
    else piece.text += written;
    if (piece.units >= unitsAtOnce) yield taken(piece);
  }
  piece.text += before === '{' ? '{}' : '}';
}

function writeAtOnce(
  value: unknown,
  { depth, walk, piece, large }: Place,
): string | undefined | typeof tooMuchAtOnce {
  const { valuesLeft } = walk;
  if (large.has(value as object)) {
    if (valuesLeft < 1) refuse('too-large');
    walk.valuesLeft -= 1;
    return tooMuchAtOnce;
  }
  const aside = walk.aside.length;
  walk.unitsLeft = unitsAtOnce;
  try {
    return write(value, depth, walk);
  } catch (thrown) {
    if (thrown !== tooMuchAtOnce) throw thrown;
    // As if it had not been tried, but for the container itself, which is not counted again.
    walk.valuesLeft = valuesLeft - 1;
    walk.aside.length = aside;
    for (let at = depth + 1; at < walk.stoppedAt; at += 1) {
      if (walk.unitsBefore[at]! < unitsAtOnce / 2) break;
      large.add(walk.ancestors[at]!);
    }
    return tooMuchAtOnce;
  } finally {
    piece.units += unitsAtOnce - walk.unitsLeft;
  }
}

function taken(piece: Piece): string {
  const { text } = piece;
  piece.text = '';
  piece.units = 0;
  return text;
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && isPlain(value);
}
