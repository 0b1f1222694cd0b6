import { Time } from '../../../components/display';
import { dayAndTime } from '../../../lib/formats';
import { isScheduled } from './job-counts';
import { type Job, JobState, StackBar } from './job-outcomes';

/** Columns of lists of jobs. */
export const PROGRESS = {
  head: 'Progress',
  hide: 'sm' as const,
  cell: (job: Job) => <StackBar job={job} isSmall />,
};

export const CREATED = {
  head: 'Created',
  hide: 'sm' as const,
  cell: ({ createdAt }: Job) => (
    <span className="dim">
      <Time at={createdAt} />
    </span>
  ),
};

export const STATUS = {
  head: 'Status',
  cell: (job: Job) => (
    <>
      <JobState job={job} />
      {isScheduled(job) && job.scheduledAt && <div className="hint">{dayAndTime(job.scheduledAt)}</div>}
    </>
  ),
};
