import { Link } from '@tanstack/react-router';
import { Check, CheckCheck, CircleAlert, Clock, Reply, SmilePlus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Schemas } from '../../api/client';
import { useRefusal } from '../../api/session';
import { Button } from '../../components/controls';
import { fullTime, hourAndMinute } from '../../lib/formats';
import {
  authorOf,
  type Message,
  MessageContent,
  ourNumberOf,
  Readable,
  useReadable,
} from '../messages/shared/message-parts';
import { adviceOf, mayHelpAgain } from '../messages/shared/failure-advice';
import type { Reaction } from './reactions';
import { useSend } from './send-message';
import { keepUnsent } from './reply-drafts';

const TICKS = { accepted: Clock, sent: Check, delivered: CheckCheck, read: CheckCheck } as const;
const EMOJI = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const;
const REACTION_FOR_MS = 30 * 24 * 3_600_000;

interface BubbleProps {
  message: Message;
  isTurn: boolean;
  /** Phone number or user ID of the contact. */
  phone: string;
  /** The message that this one replies to, if it is loaded. */
  answered: Message | undefined;
  reactions: readonly Reaction[];
  /** Why only templates can be sent now. */
  refusal: string | undefined;
}

export function Bubble({ message, isTurn, phone, answered, reactions, refusal }: BubbleProps) {
  const { direction, status, timestamp, error, context, editedAt, deletedAt, origin } = message;
  const isOut = direction === 'outbound';
  const isFailed = status === 'failed';
  const author = authorOf(message);
  const Tick = TICKS[status as keyof typeof TICKS] as (typeof TICKS)['sent'] | undefined;
  return (
    <>
      <div className={isOut ? 'said out' : 'said'} id={message.id}>
        <div className={['bubble', isOut && 'out', isFailed && 'failed', isTurn && 'gap'].filter(Boolean).join(' ')}>
          {context?.messageId !== undefined && <Quote id={context.messageId} message={answered} />}
          <MessageContent message={message} />
          <span className="meta">
            {editedAt !== undefined && deletedAt === undefined && <span title={fullTime(editedAt)}>edited</span>}
            {isOut && origin !== 'api' && <span>Sent from the WhatsApp Business app</span>}
            {author && <span dir="auto">{author}</span>}
            <time dateTime={timestamp} title={fullTime(timestamp)}>
              {hourAndMinute(timestamp)}
            </time>
            {isOut && Tick && (
              <span className={status === 'read' ? 'ticks read' : 'ticks'}>
                <Tick className="i i-14" aria-hidden />
                <span className="sr">{status}</span>
              </span>
            )}
            {isOut && !Tick && (
              <>
                <CircleAlert className="i i-14" aria-hidden />
                {isFailed ? 'Failed' : 'Unknown'}
              </>
            )}
          </span>
          {reactions.length > 0 && (
            <span className="reactions">
              {reactions.map(({ emoji, isOurs }) => (
                <span key={String(isOurs)} title={isOurs ? 'Your reaction' : 'Their reaction'}>
                  {emoji}
                  <span className="sr">{isOurs ? ' from you' : ' from them'}</span>
                </span>
              ))}
            </span>
          )}
        </div>
        {message.message_id !== null && !isFailed && isAnswerable(message) && (
          <Actions message={message} phone={phone} own={reactions.find(({ isOurs }) => isOurs)} refusal={refusal} />
        )}
      </div>
      {error && <FailLine message={message} error={error} />}
    </>
  );
}

/** Returns whether the message can get a reply or a reaction: not a deleted message, a call or a notice. */
const isAnswerable = ({ type, deletedAt, unsupported }: Message): boolean =>
  deletedAt === undefined && type !== 'call' && unsupported?.notice === undefined;

/** One-line quote of the message replied to. A message that is not loaded is opened by its URL. */
function Quote({ id, message }: { id: string; message: Message | undefined }) {
  if (!message)
    return (
      <Link className="quoted" to="/messages/$messageId" params={{ messageId: id }}>
        Older message
      </Link>
    );
  return (
    <a
      className="quoted"
      href={`#${message.id}`}
      onClick={(event) => {
        event.preventDefault();
        document.getElementById(message.id)?.scrollIntoView({ block: 'center' });
      }}
    >
      <span className="strong">
        {message.direction === 'outbound' ? (authorOf(message) ?? 'Team') : (message.name ?? message.from)}
      </span>
      <span className="cut" dir="auto">
        <Readable message={message} />
      </span>
    </a>
  );
}

interface ActionsProps {
  message: Message;
  phone: string;
  own: Reaction | undefined;
  refusal: string | undefined;
}

/** Actions: reply, and react to messages from the contact. */
function Actions({ message, phone, own, refusal }: ActionsProps) {
  const [isPicking, setPicking] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const send = useSend({ quiet: false });
  const isOld = Date.now() - Date.parse(message.timestamp) > REACTION_FOR_MS;
  useEffect(() => {
    if (isPicking) box.current?.querySelector<HTMLElement>('.picks button')?.focus();
  }, [isPicking]);
  const react = (emoji: string): void => {
    const from = ourNumberOf(message);
    setPicking(false);
    send.mutate({
      body: {
        to: phone,
        ...(from !== null && { from }),
        type: 'reaction',
        reaction: { messageId: message.id, emoji },
      } as Schemas['SendMessageRequest'],
    });
  };
  const canReact = message.direction === 'inbound' && message.type !== 'reaction';
  const about = useReadable(message).slice(0, 60);
  return (
    <div
      className="acts"
      ref={box}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setPicking(false);
      }}
    >
      <Button
        look="ghost"
        size="sm"
        icon={Reply}
        aria-label={`Reply to: ${about}`}
        refusal={refusal}
        onClick={() => {
          // The composer for replies must be there to get the focus.
          flushSync(() => keepUnsent(phone, { answers: message, isNote: false }));
          document.querySelector<HTMLElement>('.composer textarea')?.focus();
        }}
      />
      {canReact && (
        <Button
          look="ghost"
          size="sm"
          icon={SmilePlus}
          aria-label={`React to: ${about}`}
          aria-expanded={isPicking}
          isBusy={send.isPending}
          refusal={refusal ?? (isOld ? 'The message is older than 30 days.' : undefined)}
          onClick={() => setPicking(!isPicking)}
        />
      )}
      {isPicking && (
        <div className="picks" role="group" aria-label="Reactions">
          {EMOJI.map((emoji) => (
            <Button
              key={emoji}
              look="ghost"
              size="sm"
              aria-pressed={own?.emoji === emoji}
              onClick={() => react(own?.emoji === emoji ? '' : emoji)}
            >
              {emoji}
            </Button>
          ))}
          {own && !(EMOJI as readonly string[]).includes(own.emoji) && (
            <Button look="ghost" size="sm" aria-pressed onClick={() => react('')}>
              {own.emoji}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function FailLine({ message, error }: { message: Message; error: Schemas['MessageError'] }) {
  const refusal = useRefusal('agent');
  const again = useSend({ quiet: false, done: 'Message accepted by the platform.' });
  const body = mayHelpAgain(error) ? againOf(message) : undefined;
  return (
    <p className="fail-line">
      <span>
        <span className="strong">{error.title}.</span> {adviceOf(error)}{' '}
        <Link className="link" to="/messages/$messageId" params={{ messageId: message.id }}>
          View details
        </Link>{' '}
        {body && (
          <Button
            size="sm"
            look="ghost"
            refusal={refusal ?? (again.isSuccess ? 'You have already sent this message again.' : undefined)}
            isBusy={again.isPending}
            onClick={() => again.mutate({ body })}
          >
            {again.isSuccess ? 'Sent again' : 'Send again'}
          </Button>
        )}
      </span>
    </p>
  );
}

/** Types whose content is stored completely. */
const KEPT_TYPES = ['text', 'template', 'interactive', 'location', 'contacts'] as const;

/** Returns a request that sends the same message again; undefined for other types, such as media. */
function againOf(message: Message): Schemas['SendMessageRequest'] | undefined {
  const { to, from, context } = message;
  const type = KEPT_TYPES.find((kept) => kept === message.type);
  if (to === null || type === undefined || !message[type]) return undefined;
  const answers = context?.messageId === undefined ? {} : { context: { messageId: context.messageId } };
  const again = { to, ...(from !== null && { from }), ...answers, type, [type]: message[type] };
  return again as unknown as Schemas['SendMessageRequest'];
}
