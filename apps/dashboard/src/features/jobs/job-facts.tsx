import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { Note, Time } from '../../components/display';
import { countText, dayAndTime } from '../../lib/formats';
import { hasEnded, type Job } from './shared/job-outcomes';

/** Warnings about the job's file, until the job ends. */
export function FileWarnings({ job }: { job: Job }) {
  const { warnings = [] } = job;
  if (warnings.length === 0 || hasEnded(job)) return null;
  return (
    <Note tone="warning">
      <span className="strong">File warnings</span>
      <ul className="fault-list">
        {warnings.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </Note>
  );
}

const ENCODINGS: Record<string, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
};
const DELIMITERS: Record<string, string> = { ',': 'comma', ';': 'semicolon', '\t': 'tab' };

/** Describes how the job's file was parsed. */
function fileOfJob({ format, encoding, delimiter }: NonNullable<Job['sheet']>): string {
  if (format === 'xlsx') return 'Excel (.xlsx)';
  const [shownEncoding, shownDelimiter] = [encoding ?? '', delimiter ?? ''];
  return `CSV, ${ENCODINGS[shownEncoding] ?? shownEncoding}, delimited by ${DELIMITERS[shownDelimiter] ?? shownDelimiter}`;
}

/** Recipients and failures by business number. */
function Spread({ numbers }: { numbers: NonNullable<Job['numbers']> }) {
  return numbers.map(({ phoneNumber, recipients, failed, stoppedReason }) => (
    <Fragment key={phoneNumber}>
      <span className="tn">{`+${phoneNumber}`}</span>
      {`: ${countText(recipients)}`}
      {failed > 0 && `, ${countText(failed)} failed`}
      {stoppedReason !== null && ` (${STOPS[stoppedReason]})`}
      <br />
    </Fragment>
  ));
}

const STOPS = { NUMBER_STOPPED: 'stopped', TEMPLATE_NOT_APPROVED: 'template not approved' };

export function FactRow({ job }: { job: Job }) {
  const {
    sheet,
    template,
    from,
    numbers = [],
    createdAt,
    scheduledAt,
    startedAt,
    completedAt,
    expireAt,
    maxSpend,
    quietHours,
    retryOf,
    duplicates = 0,
  } = job;
  const facts: readonly (readonly [string, ReactNode] | false)[] = [
    template !== null && [
      'Template',
      <Link key="template" className="link" to="/templates" search={{ name: template }}>
        {template}
      </Link>,
    ],
    sheet != null && ['File', fileOfJob(sheet)],
    Boolean(from) && ['From', <span key="from" className="tn">{`+${from}`}</span>],
    numbers.length > 1 && ['From', <Spread key="spread" numbers={numbers} />],
    ['Created', <Time key="created" at={createdAt} />],
    scheduledAt !== null && [
      'Scheduled',
      <Fragment key="scheduled">
        <Time at={scheduledAt} />
        {`, ${dayAndTime(scheduledAt)}`}
      </Fragment>,
    ],
    Boolean(startedAt) && ['Started', <Time key="started" at={startedAt} />],
    Boolean(completedAt) && ['Ended', <Time key="ended" at={completedAt} />],
    Boolean(expireAt) && ['Expires', <Time key="expires" at={expireAt} />],
    maxSpend != null && ['Spend cap', `${maxSpend.amount} ${maxSpend.currency}`],
    quietHours != null && ['Quiet hours', `${quietHours.from} to ${quietHours.to}, recipient’s time`],
    duplicates > 0 && ['Duplicates', `${countText(duplicates)}, sent once`],
    Boolean(retryOf) && [
      'Retry of',
      <Link key="retry" className="link" to="/jobs/$jobId" params={{ jobId: retryOf ?? '' }}>
        Failed rows of this job
      </Link>,
    ],
    [
      'Job',
      <span key="id" className="mono wrap-any">
        {job.jobId}
      </span>,
    ],
  ];
  return (
    <dl className="fact-row">
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact[0]}>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
