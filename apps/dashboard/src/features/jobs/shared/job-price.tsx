import { Figure } from '../../../components/display';
import { counted, countText as count } from '../../../lib/formats';
import { amountText, differenceText, rangeText } from './bill-texts';
import { hasEnded, type Job } from './job-outcomes';

/** Estimated price and reported charges of a job. Hidden without a rate card. */
export function JobPrice({ job }: { job: Job }) {
  const { estimate, reported } = job;
  if (!estimate && (!reported || reported.currency === null)) return null;
  const isOver = hasEnded(job) && reported?.open === 0;
  const difference = differenceOf(job);
  return (
    <section aria-label="Price">
      <dl className="figures compact block">
        <Figure
          name="Estimated"
          value={estimate ? rangeText(estimate, estimate.currency) : 'Not available'}
          note={estimate ? estimateNote(estimate) : 'not estimated yet, or the price was unknown'}
        />
        <Figure
          name={isOver ? 'Reported' : 'Reported so far'}
          value={reported ? amountText(reported.amount, reported.currency, reported.unrated) : 'Not available'}
          note={reported ? reportedNote(reported) : 'at the moment'}
        />
        {difference && <Figure name="Difference" value={difference.text} note={difference.note} />}
        {reported && (
          <Figure
            name="Still open"
            value={count(reported.open)}
            note={reported.open === 0 ? 'everything is reported' : 'messages without a reported price'}
          />
        )}
      </dl>
    </section>
  );
}

/**
 * Compares the reported charges of a job with its estimate, once no message is open and all have a rate. The estimate
 * of a job with cancelled rows includes them, so there is no comparison.
 */
export function differenceOf({ estimate, reported, cancelled }: Job): { text: string; note: string } | undefined {
  if (cancelled > 0 || !estimate || reported?.open !== 0 || reported.currency !== estimate.currency) return undefined;
  if (estimate.unrated + reported.unrated > 0) return undefined;
  return differenceText(estimate, reported.amount, reported.currency);
}

/** Such as `for 1,200 messages, 20 free`. */
export function estimateNote({ messages, free, unrated }: NonNullable<Job['estimate']>): string {
  const details = [
    `for ${counted(messages, 'message')}`,
    ...(free > 0 ? [`${count(free)} free`] : []),
    ...(unrated > 0 ? [`${count(unrated)} without a rate`] : []),
  ];
  return details.join(', ');
}

/** Such as `for 1,180 delivered, 20 free`. */
export function reportedNote({ messages, billable, unrated }: NonNullable<Job['reported']>): string {
  const free = messages - billable;
  const details = [
    `for ${count(messages)} delivered`,
    ...(free > 0 ? [`${count(free)} free`] : []),
    ...(unrated > 0 ? [`${count(unrated)} without a rate`] : []),
  ];
  return details.join(', ');
}
