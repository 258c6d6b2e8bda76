/**
 * Refuses what a transformer turns into an empty object without a word: after a restart the intent
 * would be sent, without its files.
 */
export function refuseFiles(value: unknown, name: string, seen = new Set<unknown>()): void {
  if (files.test(Object.prototype.toString.call(value))) {
    throw new TypeError(`A journal keeps no files, forms or streams: got one as \`${name}\``);
  }
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
  // An input may contain itself, and some transformers can send that.
  if (seen.has(value)) return;
  seen.add(value);
  for (const [key, member] of Object.entries(value)) refuseFiles(member, key, seen);
}

const files = /^\[object (Blob|File|FileList|FormData|ReadableStream|ArrayBuffer)\]$/;
