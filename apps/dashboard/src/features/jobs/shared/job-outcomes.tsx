import { Status, type Tone, wordOf } from '../../../components/display';
import { ShareBar } from '../../../components/share-bar';
import { countText, percentText } from '../../../lib/formats';
import { countOf, isHeld, isScheduled, type Job, type Outcome } from './job-counts';

export { countOf, doneOf, hasEnded, isHeld, type Job, type Outcome } from './job-counts';

/** Outcomes in the order of the bar, most advanced first. */
export const OUTCOMES: readonly (readonly [outcome: Outcome, text: string])[] = [
  ['read', 'Read'],
  ['delivered', 'Delivered'],
  ['sent', 'Sent'],
  ['accepted', 'Accepted'],
  ['pending', 'Pending'],
  ['failed', 'Failed'],
  ['rejected', 'Rejected'],
  ['cancelled', 'Cancelled'],
];
/** Outcomes that are hidden when their count is zero. */
const RARE: readonly Outcome[] = ['accepted', 'cancelled'];

const TONES: Record<Job['status'], Tone> = {
  queued: 'neutral',
  processing: 'info',
  paused: 'warning',
  completed: 'success',
  failed: 'bad',
  cancelled: 'neutral',
};

/** Returns the name of a job. A job without a name is called by its template or its source. */
export const titleOf = ({ name, template, type }: Pick<Job, 'name' | 'template' | 'type'>): string =>
  name ?? template ?? (type === 'excel' ? 'Spreadsheet' : 'List of numbers');

function stateText(job: Job): string {
  if (isHeld(job)) return 'Held';
  return isScheduled(job) ? 'Scheduled' : wordOf(job.status);
}

export function JobState({ job, isBoxed = false }: { job: Job; isBoxed?: boolean }) {
  return (
    <Status tone={isHeld(job) ? 'info' : TONES[job.status]} isBoxed={isBoxed}>
      {stateText(job)}
    </Status>
  );
}

/** Stacked bar of all rows by outcome. */
export function StackBar({ job, isSmall = false }: { job: Job; isSmall?: boolean }) {
  const shown = OUTCOMES.map(([outcome, text]) => ({ outcome, text, count: countOf(job, outcome) })).filter(
    ({ count }) => count > 0,
  );
  const sum = shown.reduce((all, { count }) => all + count, 0);
  return (
    <ShareBar
      shares={shown.map(({ outcome, count }) => ({ look: outcome, percent: (100 * count) / sum }))}
      label={shown.map(({ text, count }) => `${text} ${countText(count)}`).join(', ') || 'No rows'}
      isSmall={isSmall}
    />
  );
}

/** Counts below the bar. A click filters the rows by outcome. */
export function Legend({
  job,
  chosen,
  onChoose,
}: {
  job: Job;
  chosen: string | undefined;
  onChoose(outcome: Outcome | undefined): void;
}) {
  const rows = job.total - (job.duplicates ?? 0);
  return (
    <div className="outcomes" role="group" aria-label="Rows by outcome">
      {OUTCOMES.filter(([outcome]) => !RARE.includes(outcome) || countOf(job, outcome) > 0 || chosen === outcome).map(
        ([outcome, text]) => {
          const count = countOf(job, outcome);
          return (
            <button
              key={outcome}
              type="button"
              className="outcome"
              aria-pressed={chosen === outcome}
              onClick={() => onChoose(chosen === outcome ? undefined : outcome)}
            >
              <span className="name">
                <svg className={`key c-${outcome}`} viewBox="0 0 8 8" aria-hidden>
                  <rect width="8" height="8" />
                </svg>
                {text}
              </span>
              <span className="n">
                {countText(count)}
                {count > 0 && <span className="pc">{percentText(count / rows)}</span>}
              </span>
            </button>
          );
        },
      )}
    </div>
  );
}
