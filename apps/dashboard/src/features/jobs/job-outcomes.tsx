import type { Schemas } from '../../api/client';
import { Status, type Tone, wordOf } from '../../components/display';
import { countText, percentText } from '../../lib/numbers';

export type Job = Schemas['Job'];
export type Outcome = NonNullable<Schemas['JobRecipient']['status']>;

/** In the order in which the bar shows them: what went furthest stands first. */
export const OUTCOMES: readonly (readonly [outcome: Outcome, text: string])[] = [
  ['read', 'Read'],
  ['delivered', 'Delivered'],
  ['sent', 'Sent'],
  ['accepted', 'Accepted'],
  ['pending', 'Pending'],
  ['failed', 'Failed'],
  ['rejected', 'Not accepted'],
  ['cancelled', 'Cancelled'],
];
/** Those that not every job has. */
const RARE: readonly Outcome[] = ['accepted', 'cancelled'];

const TONES: Record<Job['status'], Tone> = {
  queued: 'neutral',
  processing: 'info',
  paused: 'warning',
  completed: 'success',
  failed: 'bad',
  cancelled: 'neutral',
};

/** Whether the job waits for the decision to start it. */
export const isHeld = ({ status, pauseReason }: Job): boolean => status === 'paused' && pauseReason === 'HELD';
export const hasEnded = ({ status }: Job): boolean => ['completed', 'failed', 'cancelled'].includes(status);

export const countOf = (job: Job, outcome: Outcome): number => job[outcome] ?? 0;

/** Rows with an outcome that does not wait for the job any more. */
export const doneOf = (job: Job): number => job.total - (job.duplicates ?? 0) - countOf(job, 'pending');

/** @returns what the job is called: jobs have no names of their own */
export const titleOf = ({ template, type }: Job): string =>
  template ?? (type === 'excel' ? 'Spreadsheet' : 'Message to a list');

export function JobState({ job, isBoxed = false }: { job: Job; isBoxed?: boolean }) {
  return (
    <Status tone={isHeld(job) ? 'info' : TONES[job.status]} isBoxed={isBoxed}>
      {isHeld(job) ? 'Held' : wordOf(job.status)}
    </Status>
  );
}

/** All rows by their outcomes as one bar. Its widths are attributes: the content policy allows no styles here. */
export function StackBar({ job, isSmall = false }: { job: Job; isSmall?: boolean }) {
  const shown = OUTCOMES.map(([outcome, text]) => ({ outcome, text, count: countOf(job, outcome) })).filter(
    ({ count }) => count > 0,
  );
  const sum = shown.reduce((all, { count }) => all + count, 0);
  return (
    <div
      className={isSmall ? 'stackbar sm' : 'stackbar'}
      role="img"
      aria-label={shown.map(({ text, count }) => `${text} ${countText(count)}`).join(', ') || 'No rows'}
    >
      {shown.map(({ outcome, count }) => (
        <svg
          key={outcome}
          className={`c-${outcome}`}
          width={`${(100 * count) / sum}%`}
          preserveAspectRatio="none"
          viewBox="0 0 1 1"
          aria-hidden
        >
          <rect width="1" height="1" />
        </svg>
      ))}
    </div>
  );
}

/** The counts under the bar; one chooses the rows that are listed. */
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
