import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { api, must } from '../../api/client';
import { useRead } from '../../hooks/queries';
import { Status, Time } from '../../components/display';
import { List } from '../../components/list';
import { PhoneText } from '../contacts/shared/contact-parts';
import { type Message, otherSideOf, readableOf } from '../messages/shared/message-parts';

const MOST = 5;
const LOOK_MS = 10_000;

export function RecentFailures() {
  const read = useRead(
    ['messages', 'recent-failures'],
    () => must(api.GET('/console/v1/messages', { params: { query: { status: 'failed', limit: MOST } } })),
    { everyMs: () => LOOK_MS },
  );
  return (
    <section className="section" aria-labelledby="failures">
      <div className="section-head">
        <h2 id="failures">Recent failures</h2>
        <Link className="link" to="/messages" search={{ status: 'failed' }}>
          View all failed messages
        </Link>
      </div>
      <List<Message>
        label="Recent failures"
        list={{ ...read, rows: read.data?.messages ?? [] }}
        keyOf={({ id }) => id}
        empty={{
          icon: CircleCheck,
          title: 'No failed messages',
          text: 'Failed messages appear here with their reasons.',
        }}
        columns={[
          {
            head: 'Time',
            cell: ({ failedAt, createdAt }) => (
              <span className="dim">
                <Time at={failedAt ?? createdAt} />
              </span>
            ),
          },
          {
            head: 'To',
            cell: (message) => (
              <Link className="cell tn" to="/messages/$messageId" params={{ messageId: message.id }}>
                <PhoneText phone={otherSideOf(message) ?? 'Unknown'} />
              </Link>
            ),
          },
          { head: 'Message', hide: 'sm', cell: (message) => readableOf(message) },
          { head: 'Outcome', cell: ({ error }) => <Status tone="bad">{error?.title ?? 'Failed'}</Status> },
          { head: 'Reason', hide: 'sm', cell: ({ error }) => <span className="dim">{error?.message}</span> },
          {
            head: 'Code',
            hide: 'md',
            isNumber: true,
            cell: ({ error }) => <span className="tn dimmer">{error?.code}</span>,
          },
        ]}
      />
    </section>
  );
}
