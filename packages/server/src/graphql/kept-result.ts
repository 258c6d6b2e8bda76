import type { ExecutionResult } from 'graphql';
import { jsonText } from '../answers/answer-codec.ts';
import { type StoredResult, storedResult } from './stored-result.ts';

/** A result, and the text that later attempts are answered from, where it can be written. */
export class KeptResult {
  readonly text: string | undefined;
  /** As it was executed, if there is nothing else to it: its text is then all of the answer. */
  readonly executedData: ExecutionResult['data'];
  #result: ExecutionResult | undefined;

  private constructor(
    text: string | undefined,
    { result, data }: { result?: ExecutionResult; data?: ExecutionResult['data'] },
  ) {
    this.text = text;
    this.#result = result;
    this.executedData = data;
  }

  /**
   * What the first client gets: data and extensions as later ones will read them. The application
   * may hold on to what a scalar returned and change it, before the server has written it.
   *
   * Errors stay the ones that they are, and so do headers: both are given once. So does what cannot
   * be replayed, in an object of its own: a plugin may give the same one to everybody.
   */
  static of(executed: ExecutionResult): KeptResult {
    try {
      const text = jsonText(storedResult(executed));
      return isOnlyData(executed)
        ? new KeptResult(text, { data: executed.data })
        : new KeptResult(text, { result: copyOf(executed, text) });
    } catch {
      return new KeptResult(undefined, { result: { ...executed } });
    }
  }

  /** What was read from the store, or what is not stored. */
  static as(result: ExecutionResult): KeptResult {
    return new KeptResult(undefined, { result });
  }

  /** Read back when it is first asked for: a server that sends the text never does. */
  get result(): ExecutionResult {
    return (this.#result ??= JSON.parse(String(this.text)) as ExecutionResult);
  }
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
