import type { WriteStream } from 'node:tty';

/** Says what a long run is doing. */
export interface Progress {
  /** What is measured now. */
  begin(what: string): void;
  /** How far it is. Said on a terminal only: elsewhere it would be a line for each. */
  step(done: number, of: number): void;
  /** Clears the line that was updated. */
  end(): void;
}

/** One line that is updated on a terminal, and a line for each thing elsewhere. */
export function openProgress(stream: Pick<WriteStream, 'write' | 'isTTY'>): Progress {
  let now = '';
  const startedAt = performance.now();
  const elapsed = () => {
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  };
  const update = (text: string) => void stream.write(`\r\u001b[K${text}`);
  return {
    begin(what) {
      now = what;
      if (stream.isTTY) update(`${elapsed()}  ${now}`);
      else stream.write(`${elapsed()}  ${now}\n`);
    },
    step(done, of) {
      if (stream.isTTY) update(`${elapsed()}  ${now}: round ${done} of ${of}`);
    },
    end() {
      if (stream.isTTY) update('');
    },
  };
}
