import { Link, useNavigate } from '@tanstack/react-router';
import { Activity, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { api, must, type Schemas } from '../../api/client';
import { useRefusal } from '../../api/session';
import { Button, Choice } from '../../components/controls';
import { useLog, useRead } from '../../hooks/queries';
import { PageHead, Status, Time, wordOf } from '../../components/display';
import { oneOf, SPANS, sinceOf } from '../../lib/filters';
import { countOf, List } from '../../components/list';
import { SearchBox } from '../../components/search-box';
import { useFilters } from '../../hooks/use-filters';
import { usePathParam } from '../../hooks/use-path-param';
import { ReplayDropped } from './replay-dropped';
import { eventNameOf } from './shared/webhook-event-parts';
import { EventPanel, stateOf } from './webhook-event';
import { Figures, useFigures } from './webhook-statistics';
import {
  attemptsOf,
  EVENT_CHOICES,
  FAILURE_CHOICES,
  filtersOf,
  KINDS,
  shortUrl,
  STATES,
  TONES,
  wordOfFailure,
} from './webhook-labels';

type Event = Schemas['WebhookEvent'];
type Delivery = Schemas['WebhookDelivery'];
type Endpoint = Schemas['WebhookEndpoint'];

export function Page() {
  const [filters, filter] = useFilters();
  const eventId = usePathParam('eventId');
  const navigate = useNavigate();
  const refusal = useRefusal('admin');
  const [isReplaying, setReplaying] = useState(false);
  const { within, endpointId, search = '', messageId, reports } = filters;
  const state = oneOf(filters.state, STATES);
  const kind = oneOf(filters.kind, KINDS);
  const errorClass = oneOf(filters.errorClass, FAILURE_CHOICES);
  const endpoints =
    useRead(['webhook-endpoints'], () => must(api.GET('/console/v1/webhook-endpoints'))).data?.endpoints ?? [];
  const figuresOf = useFigures();
  const events = useLog(
    ['webhook-events', { within, state, kind, reports, endpointId, errorClass, search, messageId }],
    (cursor) =>
      must(
        api.GET('/console/v1/webhook-events', {
          params: {
            query: {
              state,
              kind,
              status: reports,
              endpointId,
              messageId,
              cursor,
              errorClass: errorClass as 'status' | undefined,
              since: sinceOf(within),
              search: search || undefined,
            },
          },
        }),
      ),
    (page) => page.events,
    { keyOf: ({ id }) => id },
  );
  const figures = figuresOf(endpointId ?? (endpoints.length === 1 ? (endpoints[0]?.id ?? '') : ''));
  return (
    <div className={eventId ? 'main split' : 'main'}>
      <div className="page narrow">
        <PageHead title="Webhook log" count={countOf(events)}>
          <Link className="btn sm" to="/integrations/webhook-log/replays">
            Replays
          </Link>
          <Button size="sm" icon={RotateCcw} refusal={refusal} onClick={() => setReplaying(true)}>
            Replay dropped
          </Button>
        </PageHead>
        {figures && (
          <div className="block figure-block">
            <Figures of={figures} />
          </div>
        )}
        <div className="filters">
          <SearchBox
            label="Search by phone or ID"
            placeholder="Phone or ID"
            value={search}
            onChange={(text) => filter({ search: text }, { isTyped: true })}
          />
          <Choice
            label="Time"
            value={oneOf(within, SPANS)}
            options={SPANS}
            onChange={(value) => filter({ within: value })}
          />
          <Choice label="Status" value={state} options={STATES} onChange={(value) => filter({ state: value })} />
          <Choice
            label="Event"
            value={kind && eventNameOf({ kind, status: reports ?? null })}
            options={EVENT_CHOICES}
            onChange={(event) => filter(filtersOf(event))}
          />
          <Choice
            label="Failure"
            value={errorClass}
            options={FAILURE_CHOICES}
            onChange={(value) => filter({ errorClass: value })}
          />
          {(endpoints.length > 1 || endpointId !== undefined) && (
            <Choice
              label="Endpoint"
              value={endpointId}
              options={endpoints.map(({ id, url }) => [id, shortUrl(url)] as const)}
              onChange={(value) => filter({ endpointId: value })}
            />
          )}
        </div>
        <List
          label="Webhook events"
          list={events}
          keyOf={({ id }) => id}
          isSelected={({ id }) => id === eventId}
          empty={
            Object.values(filters).some(Boolean)
              ? {
                  icon: Activity,
                  title: 'No events match',
                  text: 'No stored events match the current filters.',
                  action: (
                    <Link className="btn" to="/integrations/webhook-log">
                      Clear filters
                    </Link>
                  ),
                }
              : {
                  icon: Activity,
                  title: 'No events yet',
                  text: 'Events are recorded when a message is received or its status changes.',
                  action: (
                    <Link className="btn" to="/integrations/messaging/webhook-settings">
                      Webhook settings
                    </Link>
                  ),
                }
          }
          columns={columnsOf(endpoints)}
        />
      </div>
      {eventId && (
        <EventPanel
          key={eventId}
          eventId={eventId}
          endpoints={endpoints}
          onClose={() => void navigate({ to: '/integrations/webhook-log', search: true })}
        />
      )}
      {isReplaying && (
        <ReplayDropped
          filters={{ within, kind, endpointId }}
          endpoints={endpoints}
          onClose={() => setReplaying(false)}
        />
      )}
    </div>
  );
}

/** Returns the delivery that determines the event's state. */
const shownOf = ({ deliveries }: Event): Delivery | undefined =>
  deliveries.find(({ state, replayedAs }) => state === stateOf({ deliveries }) && replayedAs === null) ??
  deliveries.at(-1);

const columnsOf = (endpoints: Endpoint[]) => [
  {
    head: 'Time',
    cell: ({ createdAt }: Event) => (
      <span className="dim">
        <Time at={createdAt} />
      </span>
    ),
  },
  {
    head: 'Event',
    cell: ({ id, kind, status }: Event) => (
      <Link className="cell" to="/integrations/webhook-log/$eventId" params={{ eventId: id }} search={true}>
        {eventNameOf({ kind, status })}
      </Link>
    ),
  },
  {
    head: 'Subject',
    hide: 'sm' as const,
    cell: ({ subject }: Event) => <span className="dim tn">{subject ?? '–'}</span>,
  },
  { head: 'Response', hide: 'sm' as const, cell: (event: Event) => <Answer of={shownOf(event)} /> },
  {
    head: 'Attempts',
    hide: 'sm' as const,
    cell: (event: Event) => {
      const shown = shownOf(event);
      return <Tries of={shown} most={attemptsOf(endpoints.find(({ id }) => id === shown?.endpointId))} />;
    },
  },
  {
    head: 'Status',
    cell: (event: Event) =>
      event.deliveries.length === 0 ? (
        <span className="dimmer">No endpoint</span>
      ) : (
        <Status tone={TONES[stateOf(event)]}>{wordOf(stateOf(event))}</Status>
      ),
  },
];

function Answer({ of }: { of: Delivery | undefined }) {
  const { lastStatusCode = null, lastErrorClass = null } = of ?? {};
  if (lastStatusCode === null && lastErrorClass === null) return <span className="dimmer">–</span>;
  return (
    <span className={lastErrorClass === null ? 'tn dim' : 'tn strong'}>
      {lastStatusCode ?? wordOfFailure(lastErrorClass ?? '')}
    </span>
  );
}

/** One mark per possible attempt: failed, succeeded or not made. */
function Tries({ of, most }: { of: Delivery | undefined; most: number }) {
  if (!of) return <span className="dimmer">–</span>;
  const { attemptsMade, state } = of;
  const count = Math.max(most, attemptsMade);
  const markOf = (attempt: number): string =>
    attempt > attemptsMade ? 'no' : attempt === attemptsMade && state === 'delivered' ? 'ok' : '';
  return (
    <>
      <span className="tries" aria-hidden>
        {Array.from({ length: count }, (_, index) => (
          <i key={index} className={markOf(index + 1)} />
        ))}
      </span>
      <span className="sr">
        {attemptsMade} of {count}
      </span>
    </>
  );
}
