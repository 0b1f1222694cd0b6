import { Link } from '@tanstack/react-router';
import { Layers } from 'lucide-react';
import { api, must } from '../../api/client';
import { useRead } from '../../hooks/queries';
import { List } from '../../components/list';
import { countText } from '../../lib/formats';
import { CREATED, PROGRESS, STATUS } from '../jobs/shared/job-columns';
import { notSentOf, sentOf } from '../jobs/shared/job-counts';
import { type Job, titleOf } from '../jobs/shared/job-outcomes';

const MOST = 5;
const LOOK_MS = 10_000;

/** Newest bulk jobs. Hidden while the account has none. */
export function RecentJobs() {
  const read = useRead(
    ['jobs', 'recent'],
    () => must(api.GET('/console/v1/jobs', { params: { query: { limit: MOST } } })),
    { everyMs: () => LOOK_MS },
  );
  if (!read.error && !read.data?.jobs.length) return null;
  return (
    <section className="section" aria-labelledby="recent-jobs">
      <div className="section-head">
        <h2 id="recent-jobs">Recent jobs</h2>
        <Link className="link" to="/jobs">
          View all jobs
        </Link>
      </div>
      <List<Job>
        label="Recent jobs"
        list={{ ...read, rows: read.data?.jobs ?? [] }}
        keyOf={({ jobId }) => jobId}
        empty={{ icon: Layers, title: 'No jobs', text: 'Jobs send one message to many contacts.' }}
        columns={[
          {
            head: 'Job',
            cell: (job) => (
              <Link className="cell" to="/jobs/$jobId" params={{ jobId: job.jobId }}>
                {titleOf(job)}
              </Link>
            ),
          },
          PROGRESS,
          { head: 'Sent', isNumber: true, cell: (job) => countText(sentOf(job)) },
          { head: 'Not sent', hide: 'sm', isNumber: true, cell: (job) => countText(notSentOf(job)) },
          CREATED,
          STATUS,
        ]}
      />
    </section>
  );
}
