import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Call } from './contenders/contender.ts';
import { contenders } from './contenders/index.ts';

/** What a process is told: first what to be, and then how its handler behaves. */
export type Order =
  | {
      readonly kind: 'open';
      readonly contender: string;
      readonly url: string;
      readonly instance: string;
      readonly leaseMs: number;
    }
  | { readonly kind: 'behave'; readonly as: Behaviour }
  /** Lets handlers go on that wait. */
  | { readonly kind: 'go-on' }
  /** Asks for a word, after all that there was to say. */
  | { readonly kind: 'speak' };

export type Behaviour =
  /** Answers with a receipt. */
  | 'answer'
  /** Answers with nothing. */
  | 'answer-nothing'
  /** Answers when it is told to go on. */
  | 'wait'
  /** Takes effect, and fails. */
  | 'fail';

/** What a process tells. */
export type Word =
  | { readonly kind: 'open'; readonly port: number }
  | { readonly kind: 'behaves' }
  | { readonly kind: 'spoken' }
  /** The effect has happened. */
  | { readonly kind: 'executed'; readonly call: Call; readonly receipt: string }
  | { readonly kind: 'finished'; readonly receipt: string };

let behaviour: Behaviour = 'answer';
let waiting: (() => void)[] = [];
let receipts = 0;

process.on('message', (order: Order) => {
  if (order.kind === 'open') void open(order);
  if (order.kind === 'behave') {
    behaviour = order.as;
    tell({ kind: 'behaves' });
  }
  if (order.kind === 'speak') tell({ kind: 'spoken' });
  if (order.kind === 'go-on') {
    for (const goOn of waiting) goOn();
    waiting = [];
  }
});
// It has nothing to do for a comparison that is over.
process.on('disconnect', () => process.exit());
// What a library leaves unhandled is seen in what it answers, or does not.
process.on('unhandledRejection', () => undefined);
process.on('uncaughtException', () => undefined);

async function open({ contender: name, url, instance, leaseMs }: Order & { kind: 'open' }) {
  const contender = contenders.find((each) => each.name === name);
  if (!contender) throw new TypeError(`There is no contender '${name}'`);
  const server = createServer(await contender.open({ url, instance, leaseMs, handle }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  tell({ kind: 'open', port: (server.address() as AddressInfo).port });
}

async function handle(call: Call): Promise<unknown> {
  const receipt = `receipt-${process.pid}-${++receipts}-${call.user}`;
  const as = behaviour;
  tell({ kind: 'executed', call, receipt });
  if (as === 'wait') await new Promise<void>((goOn) => waiting.push(goOn));
  tell({ kind: 'finished', receipt });
  if (as === 'fail') throw new Error('the effect has happened, and then this');
  return as === 'answer-nothing' ? undefined : { receipt };
}

function tell(word: Word): void {
  process.send?.(word);
}
