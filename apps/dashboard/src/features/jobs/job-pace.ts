import { useEffect, useState } from 'react';
import { countOf, doneOf, hasEnded, isHeld, type Job } from './shared/job-outcomes';
import { type SeenJob, speedOf } from './job-speed';

export const UNSETTLED_MS = 2_000;
const LOOK_MS = 10_000;
/** Time after the end of a job during which status updates of its messages are expected. */
const NEWS_MS = 10 * 60_000;
/** Time over which the speed is averaged. */
const SPAN_MS = 20_000;

export function paceOf(job: Job | undefined): number | undefined {
  if (!job) return undefined;
  if (isHeld(job)) return LOOK_MS;
  if (!hasEnded(job) || countOf(job, 'pending') > 0) return UNSETTLED_MS;
  const isNew = Date.now() - new Date(job.completedAt ?? 0).getTime() < NEWS_MS;
  const isAwaited = countOf(job, 'accepted') + countOf(job, 'sent') + countOf(job, 'delivered') > 0;
  return isNew && isAwaited ? UNSETTLED_MS : undefined;
}

export function useSpeed(job: Job | undefined): string | undefined {
  const [seen, setSeen] = useState<readonly SeenJob[]>([]);
  useEffect(() => {
    if (!job) return;
    const now = { jobId: job.jobId, at: Date.now(), done: doneOf(job) };
    setSeen((earlier) => [...earlier.filter(({ jobId, at }) => jobId === now.jobId && now.at - at < SPAN_MS), now]);
  }, [job]);
  return job && speedOf(seen, countOf(job, 'pending'), job.expectedSeconds);
}
