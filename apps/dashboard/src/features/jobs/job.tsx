import { useNavigate } from '@tanstack/react-router';
import { Activity, Pause, Pencil, Play } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { AttemptKey } from '../../api/attempt-key';
import { api, must } from '../../api/client';
import { useRefusal } from '../../api/session';
import { Button } from '../../components/controls';
import { useChange, useRead } from '../../hooks/queries';
import { useIsLive } from '../../hooks/use-live';
import { Failure, Note, PageHead, Refused, Skeleton } from '../../components/display';
import { counted, countText, dayAndTime } from '../../lib/formats';
import { Dialog } from '../../components/overlays';
import { useFilters } from '../../hooks/use-filters';
import { usePathParam } from '../../hooks/use-path-param';
import {
  countOf,
  hasEnded,
  isHeld,
  type Job,
  JobState,
  Legend,
  type Outcome,
  OUTCOMES,
  StackBar,
  titleOf,
} from './shared/job-outcomes';
import { isScheduled, progressText } from './shared/job-counts';
import { paceOf, UNSETTLED_MS, useSpeed } from './job-pace';
import { FactRow, FileWarnings } from './job-facts';
import { JobPrice } from './shared/job-price';
import { JobRows, useRowsAgain } from './job-rows';
import { ResultsMenu } from './results-menu';
import { RenameJob } from './rename-job';
import { AtSpendCap } from './at-spend-cap';
import { WaitNote, WaitText } from './quiet-hours';

export function Page() {
  const jobId = usePathParam('jobId') ?? '';
  const params = { path: { jobId } };
  const refusal = useRefusal('admin');
  const [filters, filter] = useFilters();
  const [asked, setAsked] = useState<'cancel' | 'retry' | 'rename'>();
  // Owned by the page and not the dialog: a retry after a lost response must reuse the key.
  const [attempt] = useState(() => new AttemptKey());
  const readRowsAgain = useRowsAgain(jobId);
  const read = useRead(
    ['jobs', jobId],
    async () => {
      const found = await must(api.GET('/console/v1/jobs/{jobId}', { params }));
      // Read rows after the job and show both together, so that rows are never older than the counts, not even at the
      // end.
      await readRowsAgain(found.job);
      return found;
    },
    { everyMs: (data) => paceOf(data?.job) },
  );
  const resume = useChange(() => must(api.POST('/console/v1/jobs/{jobId}/resume', { params })));
  const pause = useChange(() => must(api.POST('/console/v1/jobs/{jobId}/pause', { params })));
  const isLive = useIsLive();
  const job = read.data?.job;
  const speed = useSpeed(job);
  if (!job)
    return (
      <div className="page narrow">
        <PageHead title="Job" />
        {read.error ? <Failure error={read.error} onRetry={() => void read.refetch()} /> : <Skeleton lines={6} />}
      </div>
    );
  const pace = paceOf(job);
  const status = shownOf(job, filters);
  const isRunning = job.status === 'queued' || job.status === 'processing';
  return (
    <div className="page narrow">
      <PageHead title={titleOf(job)} status={<JobState job={job} isBoxed />}>
        <ResultsMenu jobId={jobId} label="Download" />
        <Button size="sm" icon={Pencil} refusal={refusal} onClick={() => setAsked('rename')}>
          Rename
        </Button>
        {isRunning && (
          <Button
            size="sm"
            icon={Pause}
            refusal={refusal}
            isBusy={pause.isPending}
            onClick={() => pause.mutate(undefined)}
          >
            Pause
          </Button>
        )}
        {job.status === 'paused' && !isHeld(job) && (
          <Button
            size="sm"
            look="primary"
            icon={Play}
            refusal={refusal}
            isBusy={resume.isPending}
            onClick={() => resume.mutate(undefined)}
          >
            Resume
          </Button>
        )}
        {!hasEnded(job) && (
          <Button size="sm" look="danger-quiet" refusal={refusal} onClick={() => setAsked('cancel')}>
            Cancel job
          </Button>
        )}
      </PageHead>
      <div className="stack">
        {read.error && <Failure error={read.error} onRetry={() => void read.refetch()} />}
        <FileWarnings job={job} />
        {isHeld(job) && (
          <Decision job={job}>
            <Button
              look="primary"
              icon={Play}
              refusal={refusal}
              isBusy={resume.isPending}
              onClick={() => resume.mutate(undefined)}
            >
              {`Start sending to ${recipients(countOf(job, 'pending'))}`}
            </Button>
          </Decision>
        )}
        {job.pauseReason === 'SPEND_CAP' && <AtSpendCap job={job} refusal={refusal} />}
        {job.status === 'paused' && !isHeld(job) && job.pauseReason !== 'SPEND_CAP' && (
          <Note tone="warning">{PAUSES[job.pauseReason ?? 'REQUESTED']}</Note>
        )}
        <WaitNote job={job} />
        {job.error && <Note tone="bad">{`The job could not run: ${job.error.message}`}</Note>}
        <section aria-label="Progress">
          <div className="row wrap wide progress-line">
            <span className="strong">{isHeld(job) ? 'Nothing has been sent yet' : progressText(job)}</span>
            {isRunning && speed && <span className="dim small">{speed}</span>}
            {pace === UNSETTLED_MS && !isScheduled(job) && (
              <span className="push dimmer tiny row">
                <Activity className="i i-14" aria-hidden />
                {isLive ? 'Live' : 'Updated every 2 s'}
              </span>
            )}
          </div>
          <StackBar job={job} />
          <Legend job={job} chosen={status} onChoose={(chosen) => filter({ status: chosen ?? 'all' })} />
        </section>
        <JobPrice job={job} />
        <FactRow job={job} />
      </div>
      <JobRows key={job.jobId} job={job} status={status} refusal={refusal} onRetry={() => setAsked('retry')} />
      {asked === 'cancel' && <CancelJob job={job} onClose={() => setAsked(undefined)} />}
      {asked === 'rename' && <RenameJob job={job} onClose={() => setAsked(undefined)} />}
      {asked === 'retry' && <RetryFailed job={job} attempt={attempt} onClose={() => setAsked(undefined)} />}
    </div>
  );
}

/** Returns the outcome to filter by. Defaults to the invalid rows of a held job. */
function shownOf(job: Job, { status, phone }: Record<string, string | undefined>): Outcome | undefined {
  const chosen = OUTCOMES.find(([outcome]) => outcome === status)?.[0];
  const isFaulty = isHeld(job) && countOf(job, 'rejected') > 0;
  return chosen ?? (status === undefined && phone === undefined && isFaulty ? 'rejected' : undefined);
}

const recipients = (count: number): string => counted(count, 'recipient');

const PAUSES: Record<Exclude<NonNullable<Job['pauseReason']>, 'SPEND_CAP'>, string> = {
  HELD: 'The job has not been started.',
  REQUESTED:
    'Paused by a user. Messages of the last few seconds may still be sent. When resumed, the job continues where it stopped.',
  TEMPLATE_NOT_APPROVED: 'The template is not approved at the moment. Resume the job once it is approved again.',
  NUMBER_STOPPED: 'The platform does not accept messages from this number at the moment. Resume the job once it does.',
  TOO_MANY_FAILURES: 'Too many recent messages failed. Check the reasons before you resume the job.',
};

/** Notice on a held job: its errors first, then the start button. */
function Decision({ job, children }: { job: Job; children: ReactNode }) {
  const rejected = countOf(job, 'rejected');
  const rows = job.total - (job.duplicates ?? 0);
  const begins = job.scheduledAt && new Date(job.scheduledAt).getTime() > Date.now() ? job.scheduledAt : undefined;
  return (
    <Note tone={rejected > 0 ? 'warning' : 'info'} actions={children}>
      <span className="strong">
        {rejected > 0
          ? `${countText(rejected)} of ${counted(rows, 'row')} cannot be sent.`
          : rows === 1
            ? 'The row can be sent.'
            : `All ${countText(rows)} rows can be sent.`}
      </span>{' '}
      <p>
        {rejected > 0 && 'Their errors are listed below. '}
        Nothing is sent until you start the job.
        {begins && ` If started earlier, it waits until ${dayAndTime(begins)}.`} <WaitText job={job} isPlanned />
        {job.expectedEndAt && `Expected end: ${dayAndTime(job.expectedEndAt)}.`}
      </p>
    </Note>
  );
}

function CancelJob({ job, onClose }: { job: Job; onClose(): void }) {
  const cancel = useChange(
    () => must(api.POST('/console/v1/jobs/{jobId}/cancel', { params: { path: { jobId: job.jobId } } })),
    { quiet: true },
  );
  return (
    <Dialog
      title="Cancel this job?"
      about={`Nothing is sent to the remaining ${recipients(countOf(job, 'pending'))}. Sent messages cannot be recalled, and a cancelled job cannot be restarted.`}
      onClose={onClose}
      foot={
        <>
          <span className="push" />
          <Button onClick={onClose}>Keep job</Button>
          <Button
            look="danger"
            isBusy={cancel.isPending}
            onClick={() => cancel.mutate(undefined, { onSuccess: onClose })}
          >
            Cancel job
          </Button>
        </>
      }
    >
      <Refused error={cancel.error} fields={[]} />
    </Dialog>
  );
}

function RetryFailed({ job, attempt, onClose }: { job: Job; attempt: AttemptKey; onClose(): void }) {
  const navigate = useNavigate();
  const count = countOf(job, 'failed');
  const retry = useChange(
    () =>
      attempt.of({ jobId: job.jobId }, (key) =>
        must(
          api.POST('/console/v1/jobs/{jobId}/retry-failed', {
            params: { path: { jobId: job.jobId } },
            headers: { 'Idempotency-Key': key },
          }),
        ),
      ),
    { done: 'New job created for the failed rows.', quiet: true },
  );
  return (
    <Dialog
      title={`Send again to ${recipients(count)}?`}
      about="Creates a job that sends the same message to all rows that have failed so far. It starts immediately."
      onClose={onClose}
      foot={
        <>
          <span className="push" />
          <Button onClick={onClose}>Close</Button>
          <Button
            look="primary"
            isBusy={retry.isPending}
            onClick={() =>
              retry.mutate(undefined, {
                onSuccess: ({ jobId }) => {
                  onClose();
                  void navigate({ to: '/jobs/$jobId', params: { jobId } });
                },
              })
            }
          >
            {`Retry ${countText(count)}`}
          </Button>
        </>
      }
    >
      <Refused error={retry.error} fields={[]} />
    </Dialog>
  );
}
