import { pick } from '../support/seeded-random.ts';
import type { Fate } from '../support/postgres-wire.ts';
import type { LineFate } from '../support/tcp-line.ts';
import { statementOf } from './statements.ts';
import type { Trouble } from './trouble.ts';

/** Lets every line lose, hold up and cut what goes over it, until disposed of. */
export function breakLines({ slots, redis, random, count }: Trouble): Disposable {
  for (const { wire, entrance } of slots) {
    wire.onSending = ({ texts }) => {
      if (random() >= 0.02) return 'arrives';
      const fate = pick(wireFates, random);
      count(`database line: ${fate}${statementOf(texts)}`);
      return fate;
    };
    entrance.lateMs = () => 50 + random() * 500;
    entrance.onSending = () => {
      if (random() >= 0.08) return 'arrives';
      const fate = pick(entranceFates, random);
      count(`entrance: ${nameOf(fate)}`);
      return fate;
    };
  }
  if (redis) {
    redis.line.onSending = () => {
      if (random() >= 0.02) return 'arrives';
      const fate = pick(lineFates, random);
      count(`Redis line: ${nameOf(fate)}`);
      return fate;
    };
  }
  return {
    [Symbol.dispose]() {
      for (const { wire, entrance } of slots) {
        wire.onSending = () => 'arrives';
        entrance.onSending = () => 'arrives';
      }
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

const lineFates = [
  'is-lost',
  'is-not-answered',
  'answer-is-truncated',
  'answer-is-late',
] as const satisfies readonly LineFate[];

/** As gateways answer for servers that they take for dead. */
const badGateway = Buffer.from(
  'HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: 20\r\n' +
    'connection: close\r\n\r\n<h1>Bad gateway</h1>',
);
const unavailable = Buffer.from(
  'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
);

const entranceFates: readonly LineFate[] = [
  ...lineFates,
  { answerInstead: badGateway, when: 'before' },
  { answerInstead: badGateway, when: 'after' },
  { answerInstead: unavailable, when: 'before' },
  { answerInstead: unavailable, when: 'after' },
];

function nameOf(fate: LineFate): string {
  if (typeof fate === 'string') return fate;
  const page = fate.answerInstead === badGateway ? 'HTML 502' : 'empty 503';
  return `${page} ${fate.when}`;
}
