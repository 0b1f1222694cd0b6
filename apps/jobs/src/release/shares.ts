export interface Asking {
  id: string;
  /** Number of recipients that the job could release. */
  pending: number;
}

/**
 * Shares an allowance evenly among the jobs of a number, and redistributes what a job does not need. The round robin
 * starts after the job that was served first last time, so that jobs alternate even when the allowance is small.
 * @param turn the job that was served first last time
 */
export function sharesOf<Job extends Asking>(
  jobs: readonly Job[],
  allowance: number,
  turn: string | null,
): { job: Job; share: number }[] {
  const asking = jobs.filter(({ pending }) => pending > 0);
  const next = asking.findIndex(({ id }) => turn !== null && id > turn);
  const inTurn = next > 0 ? [...asking.slice(next), ...asking.slice(0, next)] : asking;
  // Serve the smallest need first, so that the rest of its share is redistributed.
  const byNeed = [...inTurn].sort((one, other) => one.pending - other.pending);
  const shares = new Map<string, number>();
  let left = allowance;
  let even = Infinity;
  byNeed.forEach((job, index) => {
    if (job.pending > left / (byNeed.length - index)) even = Math.min(even, Math.floor(left / (byNeed.length - index)));
    const share = Math.min(job.pending, even);
    shares.set(job.id, share);
    left -= share;
  });
  for (const job of inTurn) {
    const more = Math.min(left, job.pending - (shares.get(job.id) ?? 0), 1);
    shares.set(job.id, (shares.get(job.id) ?? 0) + more);
    left -= more;
  }
  return inTurn.map((job) => ({ job, share: shares.get(job.id) ?? 0 })).filter(({ share }) => share > 0);
}
