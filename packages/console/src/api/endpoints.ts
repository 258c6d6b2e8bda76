import { showAnswer } from './answer.ts';
import type { Endpoint } from './call.ts';
import { decideJob, showJobPayload } from './job.ts';
import { listOutbox } from './jobs.ts';
import { showOverview } from './overview.ts';
import { showRecordPage } from './record.ts';
import { searchRecords } from './search.ts';
import { showSession } from './session.ts';
import { settleOutcome } from './settle.ts';
import { listTrail } from './trail.ts';
import { listUnknown } from './unknown.ts';

/** Everything that the page can ask for, by its name in the address. */
export const endpoints: Readonly<Record<string, Endpoint>> = {
  session: { method: 'GET', needs: 'read', run: showSession },
  overview: { method: 'GET', needs: 'read', run: showOverview },
  unknown: { method: 'GET', needs: 'read', run: listUnknown },
  jobs: { method: 'GET', needs: 'read', run: listOutbox },
  trail: { method: 'GET', needs: 'read', run: listTrail },
  search: { method: 'POST', needs: 'read', run: searchRecords },
  record: { method: 'POST', needs: 'read', run: showRecordPage },
  answer: { method: 'POST', needs: 'payloads', run: showAnswer },
  payload: { method: 'POST', needs: 'payloads', run: showJobPayload },
  settle: { method: 'POST', needs: 'settle', run: settleOutcome },
  'retry-job': { method: 'POST', needs: 'settle', run: (call) => decideJob(call, 'retry job') },
  'discard-job': { method: 'POST', needs: 'settle', run: (call) => decideJob(call, 'discard job') },
};
