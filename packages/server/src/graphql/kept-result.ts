import type { ExecutionResult } from 'graphql';
import { jsonText } from '../answers/answer-codec.ts';
import { type StoredResult, storedResult } from './stored-result.ts';

/** A result, and the text that later attempts are answered from, where it can be written. */
export class KeptResult {
  readonly text: string | undefined;
  /** The data as it was executed, if there is nothing else: its text is then all of the answer. */
  readonly onlyData: ExecutionResult['data'];
  #result: ExecutionResult | undefined;

  private constructor(text: string | undefined, { result, onlyData }: KeptParts) {
    this.text = text;
    this.#result = result;
    this.onlyData = onlyData;
  }

  /**
   * Writes a result now: the application may hold on to what a scalar returned, and change it before
   * the server sends it. Data and extensions are read back from the text, if anybody asks.
   *
   * Errors and headers stay the ones that they are: both are given once. What cannot be written is
   * kept in an object of its own, for a plugin may give the same one to everybody.
   */
  static written(executed: ExecutionResult): KeptResult {
    try {
      const text = textOf(storedResult(executed));
      return isOnlyData(executed) && text.startsWith('{"data":{')
        ? new KeptResult(text, { onlyData: executed.data })
        : new KeptResult(text, { result: copyOf(executed, text) });
    } catch {
      return new KeptResult(undefined, { result: { ...executed } });
    }
  }

  /** Of what was read from the store, or is not stored. */
  static unwritten(result: ExecutionResult): KeptResult {
    return new KeptResult(undefined, { result });
  }

  /** What clients get, as later ones will read it. */
  get result(): ExecutionResult {
    return (this.#result ??= JSON.parse(this.text ?? '{}') as ExecutionResult);
  }
}

/** What JSON would lose, such as a Map, is `{}` in it: without one, there is nothing to look for. */
function textOf(stored: StoredResult): string {
  const text = JSON.stringify(stored);
  return text.includes('{}') ? jsonText(stored) : text;
}

interface KeptParts {
  readonly result?: ExecutionResult;
  readonly onlyData?: ExecutionResult['data'];
}

function isOnlyData(executed: ExecutionResult): boolean {
  for (const name in executed) {
    if (name !== 'data' && executed[name as keyof ExecutionResult] !== undefined) return false;
  }
  return executed.data !== undefined && executed.data !== null;
}

function copyOf(executed: ExecutionResult, text: string): ExecutionResult {
  const { data, extensions } = JSON.parse(text) as StoredResult;
  const copy = { ...executed };
  if (executed.data !== undefined) copy.data = data ?? null;
  if (extensions) {
    const { http } = Object(executed.extensions) as { http?: unknown };
    copy.extensions = http ? { ...extensions, http } : extensions;
  }
  return copy;
}
