import { FramedInput } from '../fingerprint/framed-input.ts';
import { isPromise } from '../is-promise.ts';

/**
 * Waits for the files of an input that come as promises, as those of `graphql-upload` do, and
 * turns them into what a fingerprint can read. An input without any is returned at once.
 */
export function settleUploads(input: unknown): unknown {
  const framed = input instanceof FramedInput;
  const value = framed ? input.value : input;
  if (!holdsOther(value, 0)) return input;
  const settled = settle(value, 0);
  return framed ? settled.then((whole) => new FramedInput(input.frame, whole)) : settled;
}

/** Deeper than any fingerprint goes, which then says so. */
const deepest = 64;

/** Whether there is anything but JSON in it. */
function holdsOther(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > deepest) return false;
  if (!Array.isArray(value) && !isPlain(value)) return true;
  for (const name in value) {
    if (holdsOther((value as Record<string, unknown>)[name], depth + 1)) return true;
  }
  return false;
}

async function settle(value: unknown, depth: number): Promise<unknown> {
  if (typeof value !== 'object' || value === null || depth > deepest) return value;
  if (isPromise(value)) return settle(await value, depth);
  if (isUpload(value)) return settle(await value.promise, depth);
  if (isStreamedFile(value)) return new StreamedUpload(value);
  if (Array.isArray(value)) {
    return Promise.all(value.map((element) => settle(element, depth + 1)));
  }
  if (!isPlain(value)) return value;
  const members = Object.entries(value).map(
    async ([name, member]) => [name, await settle(member, depth + 1)] as const,
  );
  return Object.fromEntries(await Promise.all(members));
}

/** What `graphql-upload` puts in place of a file, until the file has arrived. */
interface Upload {
  readonly promise: PromiseLike<unknown>;
}

/** What such a file is. It can be read from the start as often as needed. */
interface StreamedFile {
  readonly filename: string;
  readonly mimetype: string;
  createReadStream(): AsyncIterable<Uint8Array>;
}

/** Shaped like a `File`. A class, because a fingerprint takes plain objects for JSON. */
class StreamedUpload {
  readonly name: string;
  readonly type: string;
  /** Not known before it has been read, and then all of its content is. */
  readonly size = -1;
  readonly #file: StreamedFile;

  constructor(file: StreamedFile) {
    this.name = file.filename;
    this.type = file.mimetype;
    this.#file = file;
  }

  stream(): AsyncIterable<Uint8Array> {
    return this.#file.createReadStream();
  }
}

function isUpload(value: object): value is Upload {
  return !isPlain(value) && 'promise' in value && isPromise(value.promise);
}

function isStreamedFile(value: object): value is StreamedFile {
  return 'createReadStream' in value && typeof value.createReadStream === 'function';
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
