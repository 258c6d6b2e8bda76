import { createHash } from 'node:crypto';
import { types } from 'node:util';
import { setImmediate } from 'node:timers/promises';
import { type CanonicalJsonOptions, canonicalJson, hasToJson, refuse } from './canonical-json.ts';
import { canonicalAtOnce, canonicalPieces } from './canonical-pieces.ts';
import { describeFile, type FileLike, isFileLike } from './file-digest.ts';
import { FramedInput } from './framed-input.ts';
import { RawInput } from './raw-input.ts';
import { WrittenInput } from './written-input.ts';

/**
 * Writes an input as the text its fingerprint is made of.
 *
 * JSON is written as RFC 8785. What is not JSON becomes a mark in angle brackets outside quotes,
 * which no JSON value can produce:
 *
 *   {"avatar":<file:0>,"thumbnail":<bytes:9f86d0…>}<files:[["me.png","image/png",4,"88d4…"]]>
 *
 * A promise only for an input with files, whose content has to be waited for, and for a large one,
 * which must not keep everybody else waiting.
 */
export function inputText(input: unknown): string | Promise<string> {
  if (input instanceof WrittenInput) return input.text;
  return input instanceof FramedInput ? framedText(input) : textOf(input, unframed);
}

/**
 * Writes a small input that is JSON through and through, as nearly all are. `undefined` for any other,
 * and for one that is refused: `inputText` then says why.
 */
export function writtenAtOnce(input: unknown): WrittenInput | undefined {
  const { value, around } =
    input instanceof FramedInput ? framed(input) : { value: input, around: unframed };
  try {
    if (isLeftOut(value)) return undefined;
    const { before, after, maxDepth } = around;
    const text = canonicalAtOnce(value, { maxDepth, writeOther: refuseOther });
    return text === undefined ? undefined : new WrittenInput(before + text + after);
  } catch {
    return undefined;
  }
}

function refuseOther(): string {
  return refuse('not-json');
}

function framedText(input: FramedInput): string | Promise<string> {
  if (isLeftOut(input.value)) return input.frame.without;
  const { value, around } = framed(input);
  return textOf(value, around);
}

function framed({ frame, value }: FramedInput): { value: unknown; around: Around } {
  return { value, around: { before: frame.before, after: '}', maxDepth: deepest - 1 } };
}

/** As JSON leaves a member out. */
function isLeftOut(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === undefined;
  return hasToJson(value) && value.toJSON('') === undefined;
}

/** What is around a value that is written, and how deep that may be. */
interface Around {
  readonly before: string;
  readonly after: string;
  readonly maxDepth: number;
}

const deepest = 64;
const unframed: Around = { before: '', after: '', maxDepth: deepest };

function textOf(value: unknown, around: Around): string | Promise<string> {
  const { before, after, maxDepth } = around;
  const files: FileLike[] = [];
  const options = {
    writeOther: (other: object) => writeOther(other, files),
    aside: files,
    maxDepth,
  };
  const text = canonicalAtOnce(value, options);
  if (text === undefined) return largeText(value, files, { ...options, ...around });
  const whole = before + text + after;
  return files.length === 0 ? whole : appendFiles(whole, files);
}

/** Begun anew, for a walk cannot be interrupted: what was written until then is a small part of it. */
async function largeText(
  value: unknown,
  files: readonly FileLike[],
  { before, after, ...options }: CanonicalJsonOptions & Around,
): Promise<string> {
  let text = before;
  await setImmediate();
  for (const piece of canonicalPieces(value, options)) {
    text += piece;
    await setImmediate();
  }
  text += after;
  return files.length === 0 ? text : appendFiles(text, files);
}

function writeOther(value: object, files: FileLike[]): string | undefined {
  if (value instanceof RawInput) return `<raw:${sha256(value.bytes)}>`;
  if (types.isUint8Array(value)) return `<bytes:${sha256(value)}>`;
  if (types.isAnyArrayBuffer(value)) return `<bytes:${sha256(new Uint8Array(value))}>`;
  if (isFileLike(value)) return `<file:${files.push(value) - 1}>`;
  if (isFormLike(value)) {
    const entries = canonicalJson([...value.entries()], {
      writeOther: (entry) => writeOther(entry, files),
    });
    return `<form:${entries}>`;
  }
  return undefined;
}

/** One after the other, so that an upload of many files is never in memory at once. */
async function appendFiles(text: string, files: readonly FileLike[]): Promise<string> {
  const descriptions: string[] = [];
  for (const file of files) descriptions.push(await describeFile(file));
  return `${text}<files:[${descriptions.join(',')}]>`;
}

/** `FormData` or `URLSearchParams`: names may repeat, and their order counts. */
interface FormLike {
  entries(): Iterable<[string, unknown]>;
  getAll(name: string): unknown[];
}

function isFormLike(value: object): value is FormLike {
  return (
    'entries' in value &&
    typeof value.entries === 'function' &&
    'getAll' in value &&
    typeof value.getAll === 'function'
  );
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
