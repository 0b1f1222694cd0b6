import { Link, useNavigate } from '@tanstack/react-router';
import { Activity, CircleAlert, CircleCheck, Clock, Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { api, must, type Schemas } from '../api/client';
import { useChange, useLog, useRead } from '../kit/data';
import { useRefusal } from '../api/session';
import { Button, Form } from '../kit/controls';
import { Code, Facts, Failure, PageHead, Skeleton, Status, Time, type Tone, wordOf } from '../kit/display';
import { countOf, List } from '../kit/list';
import { Panel } from '../kit/overlays';
import { clockTime, fullTime } from '../kit/times';
import { useFilters, usePart } from '../routes';
import { Choice } from './audit';
import { ReplayDropped } from './replay-dropped';

type Event = Schemas['WebhookEvent'];
type Delivery = Schemas['WebhookDelivery'];
type State = Delivery['state'];
const TONES: Record<State, Tone> = { pending: 'info', delivered: 'success', dropped: 'bad' };
const STATES = ['pending', 'delivered', 'dropped'] as const;
const KINDS = [
  'message',
  'message_status',
  'template_status',
  'phone_number_quality',
  'job_completed',
  'job_paused',
  'job_failed',
] as const;
const PENDING_MS = 2_000;

/** @returns the state of an event as its deliveries add up to: the worst counts */
const stateOf = ({ deliveries }: Event): State =>
  (['dropped', 'pending', 'delivered'] as const).find((state) =>
    deliveries.some((delivery) => delivery.state === state && delivery.replayedAs === null),
  ) ?? 'delivered';

/** Every event with its deliveries, one of them beside the list. */
export function Page() {
  const [filters, filter] = useFilters();
  const eventId = usePart('eventId');
  const navigate = useNavigate();
  const refusal = useRefusal('admin');
  const [isReplaying, setReplaying] = useState(false);
  const { state, kind, endpointId, search, messageId } = filters;
  const endpoints = useRead(['webhook-endpoints'], () => must(api.GET('/console/v1/webhook-endpoints')));
  const events = useLog(
    ['webhook-events', filters],
    (cursor) =>
      must(
        api.GET('/console/v1/webhook-events', {
          params: {
            query: {
              state: state as State | undefined,
              kind: kind as Event['kind'] | undefined,
              ...{ endpointId, search, messageId, cursor },
            },
          },
        }),
      ),
    (page) => page.events,
    { keyOf: ({ id }) => id },
  );
  return (
    <div className={eventId ? 'main split' : 'main'}>
      <div className="page narrow">
        <PageHead title="Webhook log" count={countOf(events)}>
          <Button size="sm" refusal={refusal} onClick={() => setReplaying(true)}>
            Replay dropped
          </Button>
        </PageHead>
        <div className="filters">
          <SearchBox value={search ?? ''} onChange={(text) => filter({ search: text })} />
          <Choice label="State" value={state} options={STATES} onChange={(value) => filter({ state: value })} />
          <Choice label="Event" value={kind} options={KINDS} onChange={(value) => filter({ kind: value })} />
          {(endpoints.data?.endpoints.length ?? 0) > 1 && (
            <Choice
              label="Endpoint"
              value={endpointId}
              options={endpoints.data?.endpoints.map(({ id }) => id) ?? []}
              onChange={(value) => filter({ endpointId: value })}
            />
          )}
        </div>
        <List
          label="Webhook events"
          list={events}
          keyOf={({ id }) => id}
          isSelected={({ id }) => id === eventId}
          empty={{
            icon: Activity,
            title: 'No events',
            text: 'Events stand here as soon as something happens: a message comes in, a delivery state changes.',
          }}
          columns={[
            {
              head: 'Event',
              cell: ({ id, kind: of }) => (
                <Link className="cell" to="/integrations/webhook-log/$eventId" params={{ eventId: id }} search={true}>
                  {of}
                </Link>
              ),
            },
            { head: 'About', cell: ({ subject }) => <span className="dim tn">{subject ?? '–'}</span> },
            {
              head: 'When',
              cell: ({ createdAt }) => (
                <span className="dim">
                  <Time at={createdAt} />
                </span>
              ),
            },
            {
              head: 'Attempts',
              hide: 'sm',
              isNumber: true,
              cell: ({ deliveries }) => deliveries.reduce((sum, { attemptsMade }) => sum + attemptsMade, 0),
            },
            {
              head: 'State',
              cell: (event) =>
                event.deliveries.length === 0 ? (
                  <span className="dimmer">No endpoint</span>
                ) : (
                  <Status tone={TONES[stateOf(event)]}>{wordOf(stateOf(event))}</Status>
                ),
            },
          ]}
        />
      </div>
      {eventId && (
        <EventPanel
          key={eventId}
          eventId={eventId}
          onClose={() => void navigate({ to: '/integrations/webhook-log', search: true })}
        />
      )}
      {isReplaying && <ReplayDropped onClose={() => setReplaying(false)} />}
    </div>
  );
}

const TYPING_MS = 300;

function SearchBox({ value, onChange }: { value: string; onChange(text: string | undefined): void }) {
  const [typed, setTyped] = useState(value);
  useEffect(() => {
    if (typed === value || typed.length === 1) return undefined;
    const timer = setTimeout(() => onChange(typed || undefined), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onChange]);
  return (
    <Form role="search" onSubmit={() => onChange(typed || undefined)}>
      <span className="affix filter-search">
        <Search className="i i-14" aria-hidden />
        <input
          className="input"
          placeholder="Phone or id"
          aria-label="Search by phone or id"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </span>
    </Form>
  );
}

function EventPanel({ eventId, onClose }: { eventId: string; onClose(): void }) {
  const refusal = useRefusal('admin');
  const read = useRead(
    ['webhook-events', eventId],
    () => must(api.GET('/console/v1/webhook-events/{eventId}', { params: { path: { eventId } } })),
    { everyMs: (data) => (data?.event.deliveries.some(({ state }) => state === 'pending') ? PENDING_MS : undefined) },
  );
  const replay = useChange(
    () => must(api.POST('/console/v1/webhook-events/{eventId}/replay', { params: { path: { eventId } }, body: {} })),
    { done: 'The event is sent again, with the same id.' },
  );
  const event = read.data?.event;
  if (!event)
    return (
      <Panel title="Event" onClose={onClose}>
        {read.error ? <Failure error={read.error} onRetry={() => void read.refetch()} /> : <Skeleton />}
      </Panel>
    );
  return (
    <Panel
      title={event.kind}
      status={
        event.deliveries.length > 0 && (
          <Status tone={TONES[stateOf(event)]} isBoxed>
            {wordOf(stateOf(event))}
          </Status>
        )
      }
      onClose={onClose}
      foot={
        <Button
          size="sm"
          refusal={refusal ?? (event.deliveries.length === 0 ? 'It was sent to no endpoint' : undefined)}
          isBusy={replay.isPending}
          onClick={() => replay.mutate(undefined)}
        >
          Replay
        </Button>
      }
    >
      <Facts
        rows={[
          [
            'Id',
            <span key="id" className="mono">
              {event.id}
            </span>,
          ],
          ['About', event.subject ?? '–'],
          event.messageId !== null && [
            'Message',
            <span key="message" className="mono">
              {event.messageId}
            </span>,
          ],
          ['Happened', fullTime(event.occurredAt)],
        ]}
      />
      {event.deliveries.map((delivery) => (
        <section key={delivery.id}>
          <h3>
            <span className="cut mono">{delivery.attempts.at(-1)?.url ?? delivery.endpointId}</span>
            <Status tone={TONES[delivery.state]}>{wordOf(delivery.state)}</Status>
          </h3>
          {delivery.nextAttemptAt !== null && (
            <p className="hint">
              Next attempt <Time at={delivery.nextAttemptAt} />
            </p>
          )}
          <ol className="timeline">
            {delivery.attempts.map((attempt) => (
              <Attempt key={attempt.attempt} attempt={attempt} />
            ))}
          </ol>
        </section>
      ))}
      <Code title="Body" text={pretty(event.body)} />
    </Panel>
  );
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function Attempt({
  attempt: { attempt, startedAt, finishedAt, durationMs, statusCode, errorClass, answer },
}: {
  attempt: Schemas['WebhookAttempt'];
}) {
  const isGood = finishedAt !== null && errorClass === null;
  const Icon = finishedAt === null ? Clock : isGood ? CircleCheck : CircleAlert;
  return (
    <li className={finishedAt === null ? 'idle' : isGood ? 'good' : 'bad'}>
      <Icon className="i" aria-hidden />
      <span>
        Attempt {attempt}: {statusCode ?? errorClass ?? 'under way'}
        {statusCode !== null && errorClass !== null && ` (${errorClass})`}
      </span>
      <time dateTime={startedAt} title={fullTime(startedAt)}>
        {clockTime(startedAt)}
        {durationMs !== null && ` · ${durationMs} ms`}
      </time>
      {answer !== null && answer !== '' && <p className="mono wrap-any">{answer}</p>}
    </li>
  );
}
