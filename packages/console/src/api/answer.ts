import { describeAnswer } from '@onceward/server';
import { Refusal } from '../answers/refusal.ts';
import { audited } from '../audited.ts';
import { needOperator } from '../source.ts';
import type { Call } from './call.ts';
import { aboutRecord } from './about-record.ts';
import { findRecord } from './find-record.ts';
import type { Payload } from './job.ts';

/** Shows the stored answer of a record to somebody who may see it, and writes down who. */
export async function showAnswer(call: Call): Promise<Payload> {
  if (!call.resolved.showPayloads) throw new Refusal(403, 'forbidden');
  const operator = needOperator(call.resolved.source);
  const record = await findRecord(call);
  let shown: Payload = { text: null, note: 'none' };
  const { audited: isNoted } = await audited(call, {
    about: aboutRecord(record, 'view answer', null),
    async run() {
      const { answer } =
        (await operator.show(record, { answer: true, actor: call.operator.name })) ?? {};
      if (!answer) return 'none';
      const { encoding, text = null } = describeAnswer(answer);
      shown = { text, note: encoding };
      return 'shown';
    },
  });
  // Unlike a decision, a look can still be refused.
  if (!isNoted) throw new Refusal(503, 'audit-failed');
  return shown;
}
