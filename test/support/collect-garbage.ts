import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Frees what nobody refers to any more. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // What was referred to weakly in this turn is kept to its end.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
}
