import { pick } from '../support/seeded-random.ts';
import type { Fate } from '../support/postgres-wire.ts';
import type { LineFate } from '../support/tcp-line.ts';
import { statementOf } from './statements.ts';
import type { Trouble } from './trouble.ts';

/** Lets every line lose, hold up and cut what goes over it, until disposed of. */
export function breakLines({ slots, redis, random, count }: Trouble): Disposable {
  for (const { wire } of slots) {
    wire.onSending = ({ texts }) => {
      if (random() >= 0.007) return 'arrives';
      const fate = pick(wireFates, random);
      count(`database line: ${fate}${statementOf(texts)}`);
      return fate;
    };
  }
  if (redis) {
    redis.line.onSending = () => {
      if (random() >= 0.007) return 'arrives';
      const fate = pick(lineFates, random);
      count(`Redis line: ${fate}`);
      return fate;
    };
  }
  return {
    [Symbol.dispose]() {
      for (const { wire } of slots) wire.onSending = () => 'arrives';
      if (redis) redis.line.onSending = () => 'arrives';
    },
  };
}

const wireFates = [
  'is-lost',
  'is-not-answered',
  'is-cut-off',
  'answer-is-late',
  'answer-is-truncated',
  'comes-after-a-failure',
] as const satisfies readonly Fate[];

export const lineFates = [
  'is-lost',
  'is-not-answered',
  'answer-is-truncated',
  'answer-is-late',
] as const satisfies readonly LineFate[];
