import { pick } from '../support/seeded-random.ts';
import type { Fate } from '../support/postgres-wire.ts';
import type { LineFate } from '../support/tcp-line.ts';
import { type Statement, statementOf } from './statements.ts';
import type { Trouble } from './trouble.ts';

/** Lets every line lose, hold up and cut what goes over it, until disposed of. */
export function breakLines({ slots, redis, random, count, cameTo }: Trouble): Disposable {
  for (const { wire } of slots) {
    wire.onSending = ({ texts }) => {
      const statement = statementOf(texts);
      if (statement) cameTo(`${statement}-sent`);
      if (random() >= chanceOf(statement)) return 'arrives';
      const fate = pick(wireFates, random);
      count(`database line: ${fate}${statement ? `, ${statement}` : ''}`);
      return fate;
    };
  }
  if (redis) {
    redis.line.onSending = () => {
      if (random() >= usualChance) return 'arrives';
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

const usualChance = 0.007;

/** Each lease is reserved and completed once, among many other statements: those break more often. */
function chanceOf(statement: Statement | undefined): number {
  if (statement === 'commit') return 0.012;
  return statement === 'reserve' || statement === 'complete' ? 0.03 : usualChance;
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
