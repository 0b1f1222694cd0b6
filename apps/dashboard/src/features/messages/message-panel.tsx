import { Link, useNavigate } from '@tanstack/react-router';
import {
  CheckCheck,
  CircleAlert,
  CircleCheck,
  Clock,
  type LucideIcon,
  MessageCircle,
  Pencil,
  Repeat,
  Trash2,
} from 'lucide-react';
import { useRef } from 'react';
import { api, must, type Schemas } from '../../api/client';
import { useRefusal } from '../../api/session';
import { Button } from '../../components/controls';
import { CopyButton } from '../../components/copy-button';
import { useRead } from '../../hooks/queries';
import { Facts, Failure, Note, Skeleton, Status, Time, type Tone, wordOf } from '../../components/display';
import { Panel } from '../../components/overlays';
import { clockTime, fullTime } from '../../lib/formats';
import { eventNameOf, isReplay } from '../webhooks/shared/webhook-event-parts';
import { adviceOf } from './shared/failure-advice';
import {
  authorOf,
  type Message,
  MessageContent,
  MessageStatus,
  otherSideOf,
  writtenTextOf,
} from './shared/message-parts';
import { isRepeatable, MASK, openRefusalOf } from './shared/repeatable';

const OPEN_MS = 4_000;
const OPEN: readonly Message['status'][] = ['accepted', 'sent', 'delivered', 'unknown'];
/** Polling stops after this time: a message unread after a day may never be read. */
const FOLLOWED_MS = 24 * 3_600_000;

const isOpen = ({ status, createdAt }: Message): boolean =>
  OPEN.includes(status) && Date.now() - Date.parse(createdAt) < FOLLOWED_MS;

export function MessagePanel({ messageId, onClose }: { messageId: string; onClose(): void }) {
  const read = useRead(
    ['messages', 'one', messageId],
    () => must(api.GET('/console/v1/messages/{id}', { params: { path: { id: messageId } } })),
    { everyMs: (data) => (data && isOpen(data.message) ? OPEN_MS : undefined) },
  );
  if (!read.data)
    return (
      <Panel title="Message" onClose={onClose}>
        {read.error ? <Failure error={read.error} onRetry={() => void read.refetch()} /> : <Skeleton />}
      </Panel>
    );
  const { message, webhookEvents } = read.data;
  // Group messages belong to no conversation.
  const phone = message.groupId !== undefined ? null : otherSideOf(message);
  return (
    <Panel
      title={message.direction === 'inbound' ? 'Received message' : 'Sent message'}
      status={<MessageStatus status={message.status} isBoxed />}
      onClose={onClose}
      foot={
        phone !== null && (
          <>
            <Link className="btn sm" to="/conversations/$phone" params={{ phone }}>
              <MessageCircle className="i" aria-hidden />
              Open conversation
            </Link>
            {isRepeatable(message) && <SendAgain phone={phone} message={message} />}
          </>
        )
      }
    >
      {read.error && <Failure error={read.error} onRetry={() => void read.refetch()} />}
      {message.error && <Reason error={message.error} />}
      {message.status === 'unknown' && (
        <Note tone="warning">
          The platform has not responded. Whether the message was sent is being checked; this page updates
          automatically.
        </Note>
      )}
      <Timeline message={message} />
      <section>
        <div className="row">
          <h3>Content</h3>
          <CopyText message={message} />
        </div>
        <div className="quote">
          <div className="bubble">
            <MessageContent message={message} />
          </div>
        </div>
      </section>
      <FactsOf message={message} />
      <Events events={webhookEvents} />
    </Panel>
  );
}

function SendAgain({ phone, message }: { phone: string; message: Message }) {
  const role = useRefusal('agent');
  const refusal = role ?? openRefusalOf(message);
  const navigate = useNavigate();
  return (
    <Button
      size="sm"
      icon={Repeat}
      refusal={refusal}
      onClick={() => void navigate({ to: '/conversations/$phone', params: { phone }, search: { again: message.id } })}
    >
      Send again
    </Button>
  );
}

function CopyText({ message }: { message: Message }) {
  const text = writtenTextOf(message);
  const shown = useRef<HTMLSpanElement>(null);
  if (text === undefined || text === MASK || message.deletedAt !== undefined) return null;
  return (
    <span className="push">
      <span className="sr pre" aria-hidden ref={shown}>
        {text}
      </span>
      <CopyButton text={text} shown={shown} label="text" look="ghost" />
    </span>
  );
}

/** ID or reference with a button that copies it. */
function CopiedId({ text, label }: { text: string; label: string }) {
  const shown = useRef<HTMLSpanElement>(null);
  return (
    <span className="row tight">
      <span className="mono wrap-any" ref={shown}>
        {text}
      </span>
      <CopyButton text={text} shown={shown} label={label} look="ghost" />
    </span>
  );
}

const plain = (text: string): string => text.toLowerCase().replace(/\.$/, '');

function Reason({ error }: { error: Schemas['MessageError'] }) {
  const { title, message, code, reason, retriable } = error;
  return (
    <Note tone="bad">
      <span className="strong">{title}</span>
      {plain(message) !== plain(title) && <p>{message}</p>}
      <p>{adviceOf(error)}</p>
      <p className="mono">{[reason, code, retriable ? 'retriable' : 'final'].filter(Boolean).join(' · ')}</p>
    </Note>
  );
}

function Timeline({ message }: { message: Message }) {
  const { direction, createdAt, sentAt, deliveredAt, readAt, failedAt, timestamp } = message;
  const { editedAt = null, deletedAt = null } = message;
  const steps: (readonly [name: string, at: string | null, look: string, Icon: LucideIcon])[] =
    direction === 'inbound'
      ? [
          ['Written by the customer', timestamp, 'good', CircleCheck],
          ['Received', createdAt, 'good', CircleCheck],
          ['Edited by the customer', editedAt, 'good', Pencil],
          ['Deleted by the customer', deletedAt, 'good', Trash2],
        ]
      : [
          [message.origin === 'api' ? 'Accepted' : 'Written in the app', createdAt, 'good', CircleCheck],
          ['Sent', sentAt, 'good', CircleCheck],
          ['Delivered', deliveredAt, 'good', CheckCheck],
          ['Read', readAt, 'good', CheckCheck],
          ['Failed', failedAt, 'bad', CircleAlert],
          ['Edited in the app', editedAt, 'good', Pencil],
          ['Deleted in the app', deletedAt, 'good', Trash2],
        ];
  const known = steps.filter(([, at]) => at !== null);
  return (
    <section>
      <h3>Timeline</h3>
      <ol className="timeline">
        {known.map(([name, at, look, Icon]) => (
          <li key={name} className={look}>
            <Icon className="i" aria-hidden />
            <span>{name}</span>
            <time dateTime={at ?? ''} title={fullTime(at ?? '')}>
              {clockTime(at ?? '')}
            </time>
          </li>
        ))}
        {direction === 'outbound' && isOpen(message) && (
          <li className="idle">
            <Clock className="i" aria-hidden />
            <span>
              {message.held
                ? 'Held by the platform until it has reviewed the template'
                : 'Waiting for a status from the platform'}
            </span>
          </li>
        )}
      </ol>
    </section>
  );
}

function FactsOf({ message }: { message: Message }) {
  const { id, message_id: upstreamId, name, from, to, type, jobId, clientRef, createdAt, direction } = message;
  const copied = (text: string, label: string) => <CopiedId key={label} text={text} label={label} />;
  return (
    <Facts
      rows={[
        [direction === 'inbound' ? 'From' : 'To', [name, otherSideOf(message)].filter(Boolean).join(', ') || '–'],
        ['Business number', (direction === 'inbound' ? to : from) ?? '–'],
        message.groupId !== undefined && ['Group', <GroupOf key="group" id={message.groupId} />],
        ['Type', wordOf(type)],
        message.referral?.sourceId !== undefined && [
          message.referral.sourceType === 'post' ? 'Post ID' : 'Ad ID',
          copied(message.referral.sourceId, 'source ID'),
        ],
        ['Created', fullTime(createdAt)],
        message.origin !== 'api' && ['Origin', ORIGINS[message.origin]],
        authorOf(message) !== undefined && ['Sent by', authorOf(message)],
        message.pricing !== null && ['Pricing', pricingText(message.pricing)],
        jobId !== null && [
          'Job',
          <Link key="job" className="link mono wrap-any" to="/jobs/$jobId" params={{ jobId }}>
            {jobId}
          </Link>,
        ],
        clientRef !== null && ['Reference', copied(clientRef, 'reference')],
        ['ID', copied(id, 'ID')],
        upstreamId !== null && ['Platform ID', copied(upstreamId, 'platform ID')],
      ]}
    />
  );
}

const ORIGINS: Record<Message['origin'], string> = {
  api: 'API',
  business_app: 'WhatsApp Business app',
  history: 'WhatsApp Business app history',
};

/** Returns, for example, “Utility, billable” or “Utility, free (Free customer service)”. */
function pricingText({ category, billable, type }: Schemas['MessagePricing']): string {
  const reason = type !== null && type !== 'regular' ? ` (${wordOf(type).replaceAll('_', ' ')})` : '';
  const isBillable = billable !== null && `${billable ? 'billable' : 'free'}${reason}`;
  return [category !== null && wordOf(category).replaceAll('_', ' '), isBillable].filter(Boolean).join(', ') || '–';
}

/** Group of a message. Group messages appear only in the message list. */
function GroupOf({ id }: { id: string }) {
  return (
    <Link className="link" to="/messages" search={{ groupId: id }}>
      <span className="mono">{id}</span>
    </Link>
  );
}

const EVENT_TONES: Record<'pending' | 'delivered' | 'dropped', Tone> = {
  pending: 'info',
  delivered: 'success',
  dropped: 'bad',
};

function Events({ events }: { events: Schemas['WebhookEvent'][] | null }) {
  return (
    <section>
      <h3>Webhook events</h3>
      {events === null && <p className="hint">The webhook service does not respond. Try again in a minute.</p>}
      {events?.length === 0 && <p className="hint">No events yet. Each status change of a message creates one.</p>}
      <ul className="stack-1 small">
        {events?.map((event) => (
          <li key={event.id} className="row wrap">
            <Link className="link" to="/integrations/webhook-log/$eventId" params={{ eventId: event.id }}>
              {eventNameOf(event)}
            </Link>
            <span className="dimmer">
              <Time at={event.createdAt} />
            </span>
            <span className="push row">
              {event.deliveries.length === 0 && <span className="dimmer">No endpoint</span>}
              {event.deliveries.map((delivery) => (
                <span key={delivery.id} className="row">
                  {isReplay(delivery, event.deliveries) && <span className="dimmer">Replay</span>}
                  <Status tone={EVENT_TONES[delivery.state]}>{wordOf(delivery.state)}</Status>
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
