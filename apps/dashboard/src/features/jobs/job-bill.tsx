import { CircleDollarSign, Phone } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Schemas } from '../../api/client';
import { Figure, Note, wordOf } from '../../components/display';
import { List } from '../../components/list';
import { counted, countText as count, dayAndTime, monthText } from '../../lib/formats';
import { sentenceOf } from '../../lib/sentences';
import { WaitText } from './quiet-hours';
import { expectedDurationText, rangeText } from './shared/bill-texts';

type Estimate = Schemas['JobEstimate'];
type Failure = Estimate['failures'][number];
type SendingLimits = Estimate['numbers'][number];
type Cap = NonNullable<Estimate['spendCap']>;
type AccountCap = NonNullable<Estimate['accountSpendCap']>;

const FREE_TEXTS: Record<Estimate['free'][number]['reason'], string> = {
  free_customer_service: 'within the service window',
  free_entry_point: 'after a click on an ad',
  free_allowance: 'in the monthly allowance of the number',
};
const FAILURE_TEXTS: Record<Failure['reason'], string> = {
  invalid: 'Invalid rows',
  opted_out: 'Opted out',
  blocked: 'Blocked',
  window_closed: 'No open service window',
  rate_unknown: 'No rate, which a spend cap needs',
};
const SHOWN_ERRORS = 10;
const textOf = (word: string): string => wordOf(word).replaceAll('_', ' ');

interface BillProps {
  estimate: Estimate;
  /** Quiet hours of the request. */
  quietHours: Schemas['QuietHours'] | undefined;
  children: ReactNode;
}

/** Result of a job's dry run: recipients, price, failures and duration. Receives the focus when it appears. */
export function JobBill({ estimate, quietHours, children }: BillProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    // Focus alone scrolls only until the heading is visible at the lower edge.
    heading.current?.scrollIntoView({ block: 'start' });
  }, [estimate]);
  const { messages, currency, price, lines, free, failures, numbers, duplicates, errors } = estimate;
  const { spendCap, accountSpendCap } = estimate;
  const rowNumber = (index: number): string => count(estimate.sheet ? index : index + 1);
  const invalid = failures.reduce((sum, { reason, recipients }) => sum + (reason === 'invalid' ? recipients : 0), 0);
  const lost = failures.reduce((sum, { recipients }) => sum + recipients, 0);
  const freeMessages = free.reduce((sum, each) => sum + each.messages, 0);
  return (
    <section className="section" aria-labelledby="bill">
      <div className="section-head">
        <h2 id="bill" ref={heading} tabIndex={-1}>
          Check
        </h2>
        <span className="count">Nothing has been created yet.</span>
      </div>
      <div className="stack">
        <dl className="figures compact block">
          <Figure
            name="Messages"
            value={count(messages)}
            note={
              duplicates > 0 ? `${counted(duplicates, 'duplicate')}, sent once` : `of ${counted(estimate.total, 'row')}`
            }
          />
          <Figure
            name="Expected price"
            value={rangeText(price, currency)}
            note={price.unrated > 0 ? `${count(price.unrated)} without a rate` : 'by the rate card'}
          />
          <Figure name="Not sent" value={count(lost)} note="invalid or expected to fail" />
          <Figure {...endOf(estimate)} note={paceNote(numbers)} />
        </dl>
        {quietHours && (
          <Note tone="info">
            <WaitText job={{ ...estimate, quietHours }} isPlanned />
            The expected duration includes the wait.
          </Note>
        )}
        {numbers.length > 1 && <NumberLimits numbers={numbers} />}
        {spendCap && (
          <Note tone={spendCap.wouldPause ? 'warning' : 'info'}>
            {capText(spendCap, messages, `the max spend of ${spendCap.amount} ${spendCap.currency}`)}
            {spendCap.wouldPause && <p>A paused job continues when it is resumed with a higher cap.</p>}
          </Note>
        )}
        {accountSpendCap && (
          <Note tone={accountSpendCap.wouldPause ? 'warning' : 'info'}>
            {capText(accountSpendCap, messages, `the spend cap of the account for ${monthText(accountSpendCap.month)}`)}
            <p>{usedText(accountSpendCap)}</p>
          </Note>
        )}
        {currency === null && <Note tone="info">This installation has no rate card, so the price is unknown.</Note>}
        <List
          label="Messages by category and market"
          list={{ rows: lines, isPending: false, error: null, refetch: () => undefined }}
          keyOf={({ category, market }) => `${category} ${market}`}
          empty={{
            icon: CircleDollarSign,
            title: 'No messages',
            text: 'All recipients are invalid or expected to fail.',
          }}
          columns={[
            { head: 'Category', cell: ({ category }) => textOf(category) },
            { head: 'Market', cell: ({ market }) => market },
            { head: 'Messages', isNumber: true, cell: (line) => count(line.messages) },
            { head: 'Free', isNumber: true, hide: 'sm', cell: (line) => count(line.free) },
            { head: 'Price', isNumber: true, cell: (line) => rangeText(line, currency) },
          ]}
        />
        {freeMessages > 0 && (
          <Note tone="info">
            <span className="strong">{counted(freeMessages, 'message is free', 'messages are free')}</span>
            <ul className="fault-list">
              {free.map(({ reason, messages: of }) => (
                <li key={reason}>{`${count(of)} ${FREE_TEXTS[reason]}`}</li>
              ))}
            </ul>
          </Note>
        )}
        {lost > 0 && (
          <Note tone="warning">
            <span className="strong">{counted(lost, 'recipient gets no message', 'recipients get no message')}</span>
            <ul className="fault-list">
              {invalid > 0 && (
                <li>
                  {`Invalid rows: ${count(invalid)}`}
                  <ul className="fault-list">
                    {errors.slice(0, SHOWN_ERRORS).map(({ index, phone, message }) => (
                      <li key={index} className="wrap-any">
                        {`Row ${rowNumber(index)}${phone === '' ? '' : ` (${phone})`}: ${sentenceOf(message)}`}
                      </li>
                    ))}
                    {invalid > SHOWN_ERRORS && <li>{`and ${count(invalid - SHOWN_ERRORS)} more`}</li>}
                  </ul>
                </li>
              )}
              {failures
                .filter(({ reason }) => reason !== 'invalid')
                .map((failure) => (
                  <li key={`${failure.reason} ${failure.code}`}>
                    {`${FAILURE_TEXTS[failure.reason]}: ${count(failure.recipients)}`}
                    <span className="hint wrap-any">{` ${examplesText(failure, rowNumber)}`}</span>
                  </li>
                ))}
            </ul>
          </Note>
        )}
        <div className="row wrap">
          {children}
          <span className="hint">
            The job waits until you start it. The platform’s invoice determines the final price.
          </span>
        </div>
      </div>
    </section>
  );
}

/** A job that can start now must not look scheduled because the clock of the browser is behind. */
const CLOCK_SKEW_MS = 60_000;

/** Expected end of a scheduled job, or the expected duration of one that can start now. */
function endOf({ sendAt, durationSeconds }: Estimate): { name: string; value: string } {
  const startsAt = new Date(sendAt).getTime();
  return durationSeconds === null || startsAt <= Date.now() + CLOCK_SKEW_MS
    ? { name: 'Expected duration', value: expectedDurationText(durationSeconds) }
    : { name: 'Expected end', value: dayAndTime(new Date(startsAt + durationSeconds * 1_000).toISOString()) };
}

/** Such as `80 per second, 998 of 1,000 contacts left`, or the total pace of several numbers. */
function paceNote(numbers: readonly SendingLimits[]): string {
  const pace = `${count(numbers.reduce((sum, { throughput }) => sum + throughput, 0))} per second`;
  const [only, ...others] = numbers;
  if (!only) return '';
  if (others.length > 0) return `${pace}, from ${numbers.length} numbers`;
  return only.messagingLimit === null || only.remaining === null ? pace : `${pace}, ${limitText(only)}`;
}

/** Such as `998 of 1,000 contacts left`. */
const limitText = ({ messagingLimit, remaining }: SendingLimits): string =>
  messagingLimit === null || remaining === null
    ? 'Not known'
    : `${count(remaining)} of ${counted(messagingLimit, 'contact')} left`;

/** Limits of each of several numbers. */
function NumberLimits({ numbers }: { numbers: SendingLimits[] }) {
  const portfolios = new Set(numbers.map(({ portfolio }) => portfolio));
  return (
    <>
      <List
        label="Limits of the numbers"
        list={{ rows: numbers, isPending: false, error: null, refetch: () => undefined }}
        keyOf={({ phoneNumber }) => phoneNumber}
        empty={{ icon: Phone, title: 'No numbers', text: 'No number of the job is known.' }}
        columns={[
          { head: 'From', cell: ({ phoneNumber }) => <span className="tn">{`+${phoneNumber}`}</span> },
          { head: 'Per second', isNumber: true, cell: ({ throughput }) => count(throughput) },
          { head: 'Messaging limit', isNumber: true, cell: limitText },
        ]}
      />
      {portfolios.size < numbers.length && (
        <p className="hint">
          Numbers of the same business portfolio share their messaging limit, which counts contacts per 24 hours.
        </p>
      )}
    </>
  );
}

/** Describes whether a spend cap covers the messages. */
function capText({ wouldPause, messagesAtHighest, messagesAtLowest }: Cap, messages: number, cap: string): string {
  const all = `${messages === 1 ? 'the message' : `all ${count(messages)} messages`}`;
  if (!wouldPause) return `${cap} covers ${all}.`;
  const covered =
    messagesAtHighest === messagesAtLowest
      ? `${count(messagesAtHighest)} of ${counted(messages, 'message')}`
      : `${count(messagesAtHighest)} to ${count(messagesAtLowest)} of ${counted(messages, 'message')}, depending on their actual price`;
  return messagesAtLowest < messages
    ? `The job would pause: ${cap} covers ${covered}.`
    : `The job may pause: ${cap} covers ${covered}.`;
}

/** Such as `12.00 of 500.00 USD spent, 1.20 reserved.` */
const usedText = ({ amount, currency, spent, reserved }: AccountCap): string =>
  `${spent} of ${amount} ${currency} is spent, and ${reserved} ${currency} is reserved for messages without a reported price.`;

/** Lists the first failed rows and their recipients, such as `(4: 12, …)`. */
function examplesText({ recipients, examples }: Failure, rowNumber: (index: number) => string): string {
  const named = examples.map(({ index, phone }) => `${rowNumber(index)}: ${phone}`).join(', ');
  return `(${named}${recipients > examples.length ? ', …' : ''})`;
}
