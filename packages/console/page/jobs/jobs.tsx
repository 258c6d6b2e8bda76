import { useState } from 'react';
import type { JobList, JobView } from '../../src/api/jobs.ts';
import { useLive } from '../api/use-live.ts';
import { useSession } from '../api/use-session.ts';
import { Choices } from '../parts/choices.tsx';
import { Freshness } from '../parts/freshness.tsx';
import { NotAvailable } from '../parts/not-available.tsx';
import { Pages } from '../parts/pages.tsx';
import { State } from '../parts/state.tsx';
import { Table } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { duration, fullTime } from '../words/times.ts';
import { type Decision, JobDialog } from './job-dialog.tsx';

type Filter = 'dead' | 'waiting' | 'running' | 'done' | 'discarded' | 'all';

const filters = [
  ['dead', 'dead letters'],
  ['waiting', 'waiting'],
  ['running', 'running'],
  ['done', 'done'],
  ['discarded', 'discarded'],
  ['all', 'all'],
] as const;

/** Jobs that mutations left to be done, and those that nobody could do. */
export function Jobs() {
  const { hasLists } = useSession();
  const [filter, setFilter] = useState<Filter>('dead');
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [decision, setDecision] = useState<Decision>();
  const cursor = cursors.at(-1);
  const live = useLive<JobList>('jobs', {
    ...(filter === 'all' ? {} : { state: filter }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  if (!hasLists) return <NotAvailable what="what is in an outbox" />;
  const { counts, jobs, cursor: next } = live.answer ?? {};
  const choose = (chosen: Filter) => {
    setFilter(chosen);
    setCursors([]);
  };
  return (
    <>
      <div className="bar">
        <Choices legend="Jobs that are" options={filters} value={filter} onChange={choose} />
        <Freshness live={live} />
      </div>
      {jobs && (
        <JobTable jobs={jobs} now={live.updatedAt ?? 0} filter={filter} decide={setDecision} />
      )}
      <Pages cursors={cursors} next={next} onChange={setCursors} />
      <Counts counts={counts} />
      {decision && (
        <JobDialog
          decision={decision}
          close={() => {
            setDecision(undefined);
            live.refresh();
          }}
        />
      )}
    </>
  );
}

function JobTable({
  jobs,
  now,
  filter,
  decide,
}: {
  jobs: readonly JobView[];
  now: number;
  filter: Filter;
  decide: (decision: Decision) => void;
}) {
  const { may, showPayloads } = useSession();
  const actionsOf = (job: JobView): Decision['action'][] => [
    ...(may.includes('settle') && job.state === 'dead' ? (['retry-job'] as const) : []),
    ...(may.includes('settle') && ['dead', 'waiting'].includes(job.state)
      ? (['discard-job'] as const)
      : []),
    ...(showPayloads ? (['payload'] as const) : []),
  ];
  return (
    <Table
      caption="The newest first"
      columns={[
        { title: 'id', align: 'right' },
        { title: 'task' },
        { title: 'lane' },
        { title: 'state' },
        { title: 'written' },
        { title: 'attempts', align: 'right' },
        { title: 'detail' },
        { title: 'decide' },
      ]}
      rows={jobs.map((job) => ({
        id: job.id,
        cells: [
          job.id,
          <Text key="task">{job.task}</Text>,
          job.lane === null ? '–' : <Text key="lane">{job.lane}</Text>,
          <State key="state">{job.state}</State>,
          fullTime(job.createdAt),
          job.attempt,
          <Text key="detail">{detailOf(job, now)}</Text>,
          <span key="decide" className="actions">
            {actionsOf(job).map((action) => (
              <button
                key={action}
                type="button"
                className="small"
                onClick={() => decide({ action, job })}
              >
                {actionTitles[action]}
                <span className="unseen"> job {job.id}</span>
              </button>
            ))}
          </span>,
        ],
      }))}
      empty={filter === 'dead' ? 'No job is dead.' : 'There is no such job.'}
    />
  );
}

const actionTitles: Readonly<Record<Decision['action'], string>> = {
  'retry-job': 'Retry',
  'discard-job': 'Discard',
  payload: 'Payload',
};

function detailOf(job: JobView, now: number): string {
  switch (job.state) {
    case 'waiting': {
      const lateMs = now - (job.dueAt ?? now);
      return lateMs > 0 ? `due for ${duration(lateMs)}` : `due in ${duration(-lateMs)}`;
    }
    case 'running':
      return job.leaseRanOut ? 'its lease ran out' : 'a relay has it';
    case 'done':
      return '–';
    case 'dead':
      return job.lastError ?? '–';
    case 'discarded':
      return `${job.decidedBy ?? ''}: ${job.reason ?? ''}`;
  }
}

function Counts({ counts }: { counts: JobList['counts'] | undefined }) {
  return (
    <section aria-labelledby="counts">
      <h2 id="counts">How many</h2>
      {counts === null ? (
        <p className="note">There are too many jobs to count them in time.</p>
      ) : (
        <Table
          caption="By task and state"
          columns={[
            { title: 'task' },
            { title: 'state' },
            { title: 'jobs', align: 'right' },
            { title: 'oldest', align: 'right' },
          ]}
          rows={counts?.map(({ task, state, jobs, oldestMs }) => ({
            id: `${task} ${state}`,
            cells: [
              <Text key="task">{task}</Text>,
              <State key="state">{state}</State>,
              jobs.toLocaleString(),
              duration(oldestMs),
            ],
          }))}
          empty="There are no jobs."
        />
      )}
    </section>
  );
}
