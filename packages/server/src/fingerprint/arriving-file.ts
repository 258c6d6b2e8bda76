import { isPromise } from '../is-promise.ts';
import { refuse } from './canonical-json.ts';
import { type FileLike, isFileLike } from './file-digest.ts';

/** A file, or something that will be one: a server may execute before an upload has arrived. */
export type ArrivingFile = FileLike | PromiseLike<unknown> | Upload;

/** What `graphql-upload` puts in place of a file, until the file has arrived. */
interface Upload {
  readonly promise: PromiseLike<unknown>;
}

/** For what is no JSON: that has no promises in it, and no member `promise` that is one. */
export function isArrivingFile(value: object): value is ArrivingFile {
  return isFileLike(value) || isPromise(value) || isUpload(value);
}

/**
 * A file that is waited for later, when the whole input has been read: that it fails before is no
 * rejection that nobody handles.
 */
export function awaitedLater(file: ArrivingFile): ArrivingFile {
  arrived(file).catch(() => undefined);
  return file;
}

/** Waits for a file. Refuses what turns out to be something else, which was not there to be compared. */
export async function arrived(file: unknown): Promise<FileLike> {
  const there: unknown = await file;
  if (typeof there !== 'object' || there === null) return refuse('not-json');
  if (isFileLike(there)) return there;
  if (isStreamedFile(there)) return new StreamedUpload(there);
  return isUpload(there) ? arrived(there.promise) : refuse('not-json');
}

function isUpload(value: object): value is Upload {
  return 'promise' in value && isPromise(value.promise);
}

/** What the file of an `Upload` is. It can be read from the start as often as needed. */
interface StreamedFile {
  readonly filename: string;
  readonly mimetype: string;
  createReadStream(): AsyncIterable<Uint8Array>;
}

function isStreamedFile(value: object): value is StreamedFile {
  return 'createReadStream' in value && typeof value.createReadStream === 'function';
}

class StreamedUpload implements FileLike {
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
