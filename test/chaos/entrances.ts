import { pick } from '../support/seeded-random.ts';
import { type LineFate, openTcpLine } from '../support/tcp-line.ts';
import { lineFates } from './break-lines.ts';

export interface Entrances extends AsyncDisposable {
  readonly ports: readonly number[];
  /** One to choose at random. */
  port(): number;
  /** Where the servers listen that are up. */
  lead(ports: readonly (number | undefined)[]): void;
  /** From now on everything arrives. */
  heal(): void;
}

/** Lines to so many servers, which lose, hold up and falsify what goes over them. */
export async function openEntrances(
  servers: number,
  random: () => number,
  count: (fault: string) => void,
): Promise<Entrances> {
  let ports: readonly (number | undefined)[] = [];
  const lines = await Promise.all(
    Array.from({ length: servers }, (_, n) => openTcpLine(() => ports[n])),
  );
  for (const line of lines) {
    line.lateMs = () => 50 + random() * 500;
    line.onSending = () => {
      if (random() >= 0.08) return 'arrives';
      const fate = pick(fates, random);
      count(`entrance: ${nameOf(fate)}`);
      return fate;
    };
  }
  return {
    ports: lines.map(({ port }) => port),
    port() {
      const up = lines.filter((_, n) => ports[n] !== undefined);
      return pick(up.length > 0 ? up : lines, random).port;
    },
    lead: (to) => void (ports = to),
    heal() {
      for (const line of lines) line.onSending = () => 'arrives';
    },
    async [Symbol.asyncDispose]() {
      for (const line of lines) await line[Symbol.asyncDispose]();
    },
  };
}

/** As gateways answer for servers that they take for dead. */
const badGateway = Buffer.from(
  'HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: 20\r\n' +
    'connection: close\r\n\r\n<h1>Bad gateway</h1>',
);
const unavailable = Buffer.from(
  'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
);

const fates: readonly LineFate[] = [
  ...lineFates,
  ...(['is-cut-in-half', 'is-cut-short', 'answer-is-cut-short'] as const),
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
