import { CircleDollarSign } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Schemas } from '../../api/client';
import { Figure, Note, wordOf } from '../../components/display';
import { List } from '../../components/list';
import { countText as count } from '../../lib/formats';
import { durationText, rangeText } from './shared/bill-texts';

type Estimate = Schemas['JobEstimate'];
type Failure = Estimate['failures'][number];

const FREE_TEXTS: Record<Estimate['free'][number]['reason'], string> = {
  free_customer_service: 'within the service window',
  free_entry_point: 'after a click on an ad',
  free_allowance: 'in the monthly allowance of the number',
};
const FAILURE_TEXTS: Record<Failure['reason'], string> = {
  invalid: 'Invalid row',
  opted_out: 'Opted out',
  blocked: 'Blocked',
  window_closed: 'No open service window',
  rate_unknown: 'No rate, which a spend cap needs',
};
const textOf = (word: string): string => wordOf(word).replaceAll('_', ' ');

/** Result of a job's dry run: recipients, price, failures and duration. Receives the focus when it appears. */
export function JobBill({ estimate, children }: { estimate: Estimate; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [estimate]);
  const { messages, currency, price, lines, free, failures, durationSeconds, numbers, duplicates } = estimate;
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
            note={duplicates > 0 ? `${count(duplicates)} duplicates, sent once` : `of ${count(estimate.total)} rows`}
          />
          <Figure
            name="Expected price"
            value={rangeText(price, currency)}
            note={price.unrated > 0 ? `${count(price.unrated)} without a rate` : 'by the rate card'}
          />
          <Figure name="Not sent" value={count(lost)} note="invalid or expected to fail" />
          <Figure name="Expected duration" value={durationText(durationSeconds)} note={limitNote(numbers[0])} />
        </dl>
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
            <span className="strong">{`${count(freeMessages)} ${freeMessages === 1 ? 'message is' : 'messages are'} free`}</span>
            <ul className="fault-list">
              {free.map(({ reason, messages: of }) => (
                <li key={reason}>{`${count(of)} ${FREE_TEXTS[reason]}`}</li>
              ))}
            </ul>
          </Note>
        )}
        {lost > 0 && (
          <Note tone="warning">
            <span className="strong">{`${count(lost)} ${lost === 1 ? 'recipient gets' : 'recipients get'} no message`}</span>
            <ul className="fault-list">
              {failures.map((failure) => (
                <li key={`${failure.reason} ${failure.code}`}>
                  {`${FAILURE_TEXTS[failure.reason]}: ${count(failure.recipients)} `}
                  <span className="mono wrap-any">{failure.code}</span>
                  <span className="hint wrap-any">{` ${examplesText(failure)}`}</span>
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

function limitNote(number: Estimate['numbers'][number] | undefined): string {
  if (!number) return '';
  const { throughput, messagingLimit, remaining } = number;
  const pace = `${count(throughput)} per second`;
  return messagingLimit === null || remaining === null
    ? pace
    : `${pace}, ${count(remaining)} of ${count(messagingLimit)} people left today`;
}

/** Lists the first failed rows and their recipients, such as `(4: 12, …)`. */
function examplesText({ recipients, examples }: Failure): string {
  const named = examples.map(({ index, phone }) => `${index}: ${phone}`).join(', ');
  return `(${named}${recipients > examples.length ? ', …' : ''})`;
}
