import { CircleAlert, CircleCheck, Clock, RotateCcw } from 'lucide-react';
import { api, must, type Schemas } from '../../api/client';
import { useRefusal } from '../../api/session';
import { Button } from '../../components/controls';
import { useChange, useRead } from '../../hooks/queries';
import { Code, CopyLine, Facts, Failure, Skeleton, Status, Time, wordOf } from '../../components/display';
import { countText, clockTime, fullTime } from '../../lib/formats';
import { Panel } from '../../components/overlays';
import { eventNameOf, isReplay } from './shared/webhook-event-parts';
import { useEndpoints } from './webhook-endpoints';
import { attemptsOf, sentenceOfFailure, TONES, type State, wordOfFailure } from './webhook-labels';

type Delivery = Schemas['WebhookDelivery'];
type Endpoint = Schemas['WebhookEndpoint'];
const PENDING_MS = 2_000;

/** Returns the overall state of an event: the worst state of its deliveries, without those that were replayed. */
export const stateOf = ({ deliveries }: { deliveries: Delivery[] }): State =>
  (['dropped', 'pending', 'delivered'] as const).find((state) =>
    deliveries.some((delivery) => delivery.state === state && delivery.replayedAs === null),
  ) ?? 'delivered';

interface Props {
  eventId: string;
  endpoints: Endpoint[];
  onClose(): void;
}

export function EventPanel({ eventId, endpoints, onClose }: Props) {
  const refusal = useRefusal('admin');
  const read = useRead(
    ['webhook-events', eventId],
    () => must(api.GET('/console/v1/webhook-events/{eventId}', { params: { path: { eventId } } })),
    { everyMs: (data) => (data?.event.deliveries.some(({ state }) => state === 'pending') ? PENDING_MS : undefined) },
  );
  const replay = useChange(
    (endpointId: string | undefined) =>
      must(
        api.POST('/console/v1/webhook-events/{eventId}/replay', {
          params: { path: { eventId } },
          body: endpointId === undefined ? {} : { endpointId },
        }),
      ),
    {
      done: ({ deliveries }) =>
        deliveries === 1
          ? 'Event queued again with the same ID.'
          : `Event queued again for ${deliveries} endpoints with the same ID.`,
    },
  );
  const { data: known, error: unread, refetch } = useEndpoints();
  const event = read.data?.event;
  if (!event)
    return (
      <Panel title="Event" onClose={onClose}>
        {read.error ? <Failure error={read.error} onRetry={() => void read.refetch()} /> : <Skeleton />}
      </Panel>
    );
  const targets = new Set(event.deliveries.map(({ endpointId }) => endpointId));
  const noEndpoint = known
    ? known.endpoints.length === 0
      ? 'No endpoints to send the event to'
      : undefined
    : 'Wait for the endpoints to load';
  return (
    <Panel
      title={eventNameOf(event)}
      status={
        event.deliveries.length > 0 && (
          <Status tone={TONES[stateOf(event)]} isBoxed>
            {wordOf(stateOf(event))}
          </Status>
        )
      }
      onClose={onClose}
      foot={
        <>
          <Button
            look="primary"
            size="sm"
            icon={RotateCcw}
            refusal={refusal ?? noEndpoint}
            isBusy={replay.isPending}
            onClick={() => replay.mutate(undefined)}
          >
            {targets.size > 1 ? 'Replay to all' : 'Replay'}
          </Button>
          <span className="push hide-sm">The event keeps its ID</span>
        </>
      }
    >
      {unread && <Failure error={unread} onRetry={() => void refetch()} />}
      <CopyLine label="Event ID" text={event.id} />
      <Facts
        rows={[
          ['Subject', event.subject ?? '–'],
          event.messageId !== null && [
            'Message',
            <span key="message" className="mono wrap-any">
              {event.messageId}
            </span>,
          ],
          ['Occurred', fullTime(event.occurredAt)],
          event.deliveries.length === 0 && ['Sent to', 'No endpoint was subscribed to this event'],
        ]}
      />
      {event.deliveries.map((delivery) => (
        <DeliverySection
          key={delivery.id}
          delivery={delivery}
          endpoint={endpoints.find(({ id }) => id === delivery.endpointId)}
          isKnown={known !== undefined}
          isReplay={isReplay(delivery, event.deliveries)}
          replay={
            targets.size > 1 && (
              <Button
                size="sm"
                look="ghost"
                icon={RotateCcw}
                refusal={refusal}
                isBusy={replay.isPending}
                onClick={() => replay.mutate(delivery.endpointId)}
              >
                Replay here
              </Button>
            )
          }
        />
      ))}
      <section>
        <h3>
          Body <span className="count">identical for every attempt</span>
        </h3>
        <Code title={`application/json, ${countText(new Blob([event.body]).size)} bytes`} text={pretty(event.body)} />
      </section>
    </Panel>
  );
}

interface SectionProps {
  delivery: Schemas['WebhookDeliveryDetail'];
  endpoint: Endpoint | undefined;
  /** Whether the endpoints are loaded; an unlisted endpoint is then deleted. */
  isKnown: boolean;
  isReplay: boolean;
  replay: React.ReactNode;
}

function DeliverySection({ delivery, endpoint, isKnown, isReplay: isRepeated, replay }: SectionProps) {
  const { endpointId, state, attempts, attemptsMade, nextAttemptAt, replayId, replayedAs } = delivery;
  return (
    <section className="stack-2">
      <h3>
        <span className="cut mono">
          {attempts.at(-1)?.url ?? endpoint?.url ?? (isKnown ? 'Deleted endpoint' : endpointId)}
        </span>
        {isRepeated && <span className="chiptext">Replay</span>}
        <Status tone={TONES[state]}>{wordOf(state)}</Status>
        {replay}
      </h3>
      <p className="hint">
        {attemptsMade} {isKnown && `of ${Math.max(attemptsOf(endpoint), attemptsMade)} `}attempts
        {replayId !== null && ', part of a replay of dropped events'}
        {replayedAs !== null && ', since replayed'}
        {nextAttemptAt !== null && (
          <>
            {', next attempt '}
            <Time at={nextAttemptAt} />
          </>
        )}
      </p>
      <ol className="timeline">
        {attempts.map((attempt) => (
          <Attempt key={attempt.attempt} attempt={attempt} />
        ))}
      </ol>
    </section>
  );
}

function Attempt({
  attempt: { attempt, requestHeaders, startedAt, finishedAt, durationMs, statusCode, errorClass, answer },
}: {
  attempt: Schemas['WebhookAttempt'];
}) {
  const isGood = finishedAt !== null && errorClass === null;
  const Icon = finishedAt === null ? Clock : isGood ? CircleCheck : CircleAlert;
  const failure = errorClass === null || errorClass === 'status' ? undefined : sentenceOfFailure(errorClass);
  return (
    <li className={finishedAt === null ? 'idle' : isGood ? 'good' : 'bad'}>
      <Icon className="i" aria-hidden />
      <span>
        Attempt {attempt}:{' '}
        <span className="strong">
          {statusCode ?? (errorClass === null ? 'in progress' : wordOfFailure(errorClass))}
        </span>
      </span>
      <time dateTime={startedAt} data-tip={fullTime(startedAt)} tabIndex={0}>
        {clockTime(startedAt)}
        {durationMs !== null && ` · ${durationMs} ms`}
      </time>
      {failure && <p>{failure}</p>}
      {statusCode !== null && answer !== null && <ResponseBody text={answer} />}
      <details className="wire">
        <summary>Request headers</summary>
        <Code
          title="Without the signatures, which are not stored"
          text={Object.entries(requestHeaders)
            .map(([name, value]) => `${name}: ${value}`)
            .join('\n')}
        />
        <p>
          <span className="mono">webhook-signature</span> is the HMAC of the ID, the timestamp and the body, joined by
          dots.{' '}
          <a className="link" href="/docs/guides/webhooks">
            Verify signatures
          </a>
        </p>
      </details>
    </li>
  );
}

/** Number of bytes of a response that are stored. */
const STORED_BYTES = 1_024;

function ResponseBody({ text }: { text: string }) {
  if (text === '') return <p>The response body is empty.</p>;
  const isCut = new Blob([text]).size >= STORED_BYTES;
  return (
    <div className="wire">
      <Code title={isCut ? 'Response body, first KiB' : 'Response body'} text={pretty(text)} />
    </div>
  );
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
