import type { JobRecord } from '@switchboard/contracts';

const TIMES = ['createdAt', 'scheduledAt', 'startedAt', 'completedAt', 'expireAt'] as const;

/** A row of `JOB_COLUMNS`. */
export type JobRow = Omit<JobRecord, (typeof TIMES)[number]> & Record<(typeof TIMES)[number], Date | null>;

/** A job as the API shows it. */
export function toJobRecord(row: JobRow): JobRecord {
  const times = Object.fromEntries(TIMES.map((name) => [name, row[name]?.toISOString() ?? null])) as Record<
    (typeof TIMES)[number],
    string
  >;
  return { ...row, ...times };
}
