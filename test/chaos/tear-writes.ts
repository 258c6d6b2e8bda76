import { type FileHandle, open } from 'node:fs/promises';

/**
 * Asks before each write to an open file of this process; where the answer is to tear it, half of the
 * text is written, and nothing more by anybody: the process dies.
 */
export async function tearWrites(file: string, isTorn: () => boolean): Promise<void> {
  const probe = await open(file, 'a');
  const handles = Object.getPrototypeOf(probe) as FileHandle;
  await probe.close();

  // Taken off the prototype on purpose: it is called with its handle, below.
  const { writeFile } = handles;
  handles.writeFile = async function (this: FileHandle, data, options) {
    if (!isTorn()) return writeFile.call(this, data, options);
    const text = data as string;
    await writeFile.call(this, text.slice(0, text.length / 2), options);
    process.kill(process.pid, 'SIGKILL');
  };
}
