import { Link } from '@tanstack/react-router';
import { ChevronLeft, UserRound } from 'lucide-react';
import { Fragment, useState } from 'react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ApiError, api, must, type Schemas } from '../../api/client';
import { useRefusal } from '../../api/session';
import { Button } from '../../components/controls';
import { useRead } from '../../hooks/queries';
import { Empty, Facts, Failure, Skeleton } from '../../components/display';
import { countText, dayText, timeAndDay } from '../../lib/formats';
import { Bubble } from './message-bubble';
import { FileDrop } from './attached-file';
import { Composer, refusalOf } from './composer';
import { BlockButtons } from '../contacts/shared/block-actions';
import { ContactLabels } from '../contacts/shared/contact-labels';
import { OptOutButton } from '../contacts/shared/contact-actions';
import { Avatar, BlockStatus, keyOf, nameOf, numberOf } from '../contacts/shared/contact-parts';
import { type Message, MessageStatus } from '../messages/shared/message-parts';
import { Colleagues } from './presence';
import { QueueTools } from './queue';
import { withReactions } from './reactions';
import { ActivityLine } from './activity-line';
import { type Aside, asidesOf, seenAsides, timelineOf } from './timeline';
import { NoteBubble } from './notes';
import { useUnsent } from './reply-drafts';
import { useIsOpen, WindowClock } from './service-window';
import { TemplateSender } from './late-template-sender';
import { listFilters } from './send-again';
import { useShownMessage } from './show-message';

type Contact = Schemas['ContactDetail'];
const NEWS_MS = 4_000;
const PAGE = 50;

export function Thread({ phone }: { phone: string }) {
  const params = { path: { phone } };
  const read = useRead(
    ['conversations', phone, 'contact'],
    () => must(api.GET('/console/v1/conversations/{phone}', { params })),
    { everyMs: () => NEWS_MS },
  );
  const isUnknown = read.error instanceof ApiError && ['NOT_FOUND', 'INVALID_PHONE'].includes(read.error.code);
  if (isUnknown) return <Unknown phone={phone} error={read.error} />;
  const contact = read.data?.contact;
  if (!contact)
    return (
      <section className="convo-thread page" aria-label="Conversation">
        {read.error ? <Failure error={read.error} onRetry={() => void read.refetch()} /> : <Skeleton lines={6} />}
      </section>
    );
  return <Conversation contact={contact} phone={phone} error={read.error} onRetry={() => void read.refetch()} />;
}

interface ConversationProps {
  contact: Contact;
  phone: string;
  /** Failure of the last refetch. */
  error: Error | null;
  onRetry(): void;
}

function Conversation({ contact, phone, error, onRetry }: ConversationProps) {
  const name = nameOf(contact);
  return (
    <>
      <FileDrop label={`Conversation with ${name}`} drafted={keyOf(contact)} refusal={useFileRefusal(contact)}>
        <div className="convo-head">
          <Back />
          <Avatar contact={contact} />
          <div className="convo-who">
            <div className="cut">
              <h1 className="cut" dir="auto">
                {name}
              </h1>
              <div className="tiny dimmer tn cut">{numberOf(contact)}</div>
            </div>
            <div className="state">
              <BlockStatus contact={contact} />
              <WindowClock contact={contact} />
            </div>
          </div>
          <Link
            className="btn icon ghost sm"
            to="/contacts/$contactId"
            params={{ contactId: contact.id }}
            aria-label="Open contact"
          >
            <UserRound className="i" aria-hidden />
          </Link>
        </div>
        <Tools contact={contact} phone={phone} />
        <ContactLabels contact={contact} />
        {error && <Failure error={error} onRetry={onRetry} />}
        <Messages contact={contact} phone={phone} />
        <Colleagues contactId={contact.id} />
        <Composer key={phone} contact={contact} phone={phone} />
      </FileDrop>
      <Side contact={contact} phone={phone} />
    </>
  );
}

/** Returns why no file can be attached now. */
function useFileRefusal(contact: Contact): string | undefined {
  const role = useRefusal('agent');
  const isOpen = useIsOpen(contact);
  const { isNote } = useUnsent(keyOf(contact));
  if (!isOpen) return 'The 24-hour window is not open. You can send only templates.';
  return role ?? refusalOf(contact) ?? (isNote ? 'A note has no file. Switch to Reply first.' : undefined);
}

function Tools({ contact, phone }: { contact: Contact; phone: string }) {
  const newest = useNewest(phone);
  return <QueueTools contact={contact} messages={newest.data?.messages ?? []} />;
}

function Back() {
  return (
    <Link
      className="btn icon ghost sm only-phone"
      to="/conversations"
      search={listFilters}
      aria-label="All conversations"
    >
      <ChevronLeft className="i" aria-hidden />
    </Link>
  );
}

function Unknown({ phone, error }: { phone: string; error: Error | null }) {
  const refusal = useRefusal('agent');
  const [isSending, setSending] = useState(false);
  const isPhone = error instanceof ApiError && error.code === 'NOT_FOUND';
  return (
    <section className="convo-thread" aria-label="Conversation">
      <div className="convo-head">
        <Back />
        <h1 className="tn">{phone}</h1>
      </div>
      <Empty
        icon={UserRound}
        title="Conversation not found"
        action={
          isPhone && (
            <Button refusal={refusal} onClick={() => setSending(true)}>
              {' '}
              Choose template{' '}
            </Button>
          )
        }
      >
        {isPhone
          ? 'You have not exchanged messages with this contact. Start with an approved template.'
          : error?.message}
      </Empty>
      {isSending && <TemplateSender phone={phone} from={undefined} onClose={() => setSending(false)} />}
    </section>
  );
}

const readThread = (phone: string, cursor?: string) =>
  must(
    api.GET('/console/v1/conversations/{phone}/messages', {
      params: { path: { phone }, query: { limit: PAGE, cursor } },
    }),
  );

const useNewest = (phone: string) =>
  useRead(['conversations', phone, 'newest'], () => readThread(phone), { everyMs: () => NEWS_MS });

/** Combines the polled newest messages with older pages loaded on demand. */
function useThread(phone: string) {
  const newest = useNewest(phone);
  const [begin, setBegin] = useState<string>();
  const older = useInfiniteQuery({
    queryKey: ['conversations', phone, 'older', begin],
    queryFn: ({ pageParam }) => readThread(phone, pageParam),
    initialPageParam: begin,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    enabled: begin !== undefined,
    meta: { isLog: true },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [seen, setSeen] = useState<ReadonlyMap<string, Message>>(new Map());
  const news = newest.data?.messages ?? [];
  // Messages may have left the newest page since older pages were loaded; keep them.
  if (news.some((message) => seen.get(message.id) !== message))
    setSeen(new Map([...seen, ...news.map((message) => [message.id, message] as const)]));
  const [between, setBetween] = useState<{ page?: typeof newest.data; asides: readonly Aside[] }>({ asides: [] });
  if (newest.data && newest.data !== between.page)
    setBetween({ page: newest.data, asides: seenAsides(between.asides, newest.data) });
  const pages = older.data?.pages ?? [];
  const all = new Map(
    [...pages.flatMap(({ messages }) => messages), ...seen.values(), ...news].map((one) => [one.id, one]),
  );
  const more = begin === undefined ? newest.data?.nextCursor : older.hasNextPage;
  return {
    newest,
    error: newest.error ?? older.error,
    messages: [...all.values()].sort((one, other) => (one.id < other.id ? -1 : 1)),
    asides: [...pages.flatMap(asidesOf), ...between.asides],
    hasOlder: Boolean(more),
    isLoading: older.isFetching,
    retry: () => {
      if (newest.error) void newest.refetch();
      if (older.error) void (older.isFetchNextPageError ? older.fetchNextPage() : older.refetch());
    },
    showOlder: () =>
      begin === undefined ? setBegin(newest.data?.nextCursor ?? undefined) : void older.fetchNextPage(),
  };
}

function Messages({ contact, phone }: { contact: Contact; phone: string }) {
  const thread = useThread(phone);
  const { newest, error, messages: all, asides, hasOlder, isLoading, retry, showOlder } = thread;
  useShownMessage(thread);
  const { messages, reactions } = withReactions(all);
  const named = new Map(all.map((message) => [message.message_id, message]));
  const role = useRefusal('agent');
  const isOpen = useIsOpen(contact);
  const refusal =
    role ?? refusalOf(contact) ?? (isOpen ? undefined : 'The 24-hour window is not open. You can send only templates.');
  return (
    <div className="thread" role="log" aria-label="Messages" tabIndex={0}>
      <div className="thread-in">
        {error && <Failure error={error} onRetry={retry} />}
        {newest.isPending && !error && <Skeleton lines={6} />}
        {hasOlder && (
          <Button className="more" size="sm" isBusy={isLoading} onClick={showOlder}>
            Load older messages
          </Button>
        )}
        {newest.data && messages.length + asides.length === 0 && <span className="day">No messages yet.</span>}
        {timelineOf(messages, asides).map(({ id, startsDay, aside, message, isTurn }) => (
          <Fragment key={id}>
            {startsDay !== undefined && <span className="day">{startsDay}</span>}
            {aside ? (
              <AsideEntry aside={aside} />
            ) : (
              <Bubble
                message={message}
                isTurn={isTurn}
                phone={keyOf(contact)}
                answered={named.get(message.context?.messageId ?? '')}
                reactions={reactions.get(message.message_id ?? '') ?? []}
                refusal={refusal}
              />
            )}
          </Fragment>
        ))}
      </div>
    </div>
  );
}

function AsideEntry({ aside }: { aside: Aside }) {
  return 'text' in aside ? <NoteBubble note={aside} /> : <ActivityLine activity={aside} />;
}

function Side({ contact, phone }: { contact: Contact; phone: string }) {
  const newest = useNewest(phone);
  const sent = (newest.data?.messages ?? [])
    .filter(({ direction, type }) => direction === 'outbound' && type !== 'reaction')
    .slice(0, 3);
  return (
    <aside className="convo-side" aria-label="Contact">
      <div className="row">
        <Avatar contact={contact} />
        <div className="cut">
          <div className="strong cut">{nameOf(contact)}</div>
          <div className="tiny dimmer">Contact since {dayText(contact.createdAt)}</div>
        </div>
      </div>
      <div className="facts-2">
        <Facts
          rows={[
            ['Phone', contact.phone ?? 'Number hidden'],
            contact.username !== null && ['Username', `@${contact.username}`],
            ...contact.windows.map(
              ({ phoneNumber, open, expiresAt }) =>
                [
                  'Business number',
                  `${phoneNumber}, ${open ? `open until ${timeAndDay(expiresAt)}` : 'templates only'}`,
                  phoneNumber,
                ] as const,
            ),
            ['Marketing', contact.optedOut || contact.marketingOptOut ? 'Opted out' : 'Allowed'],
            contact.blocked && ['All messages', 'Opted out'],
            contact.blockedOn.length > 0 && ['Blocked for', contact.blockedOn.join(', ')],
            ['Messages', `${countText(contact.messageCount)}, ${countText(contact.unreadCount)} unread`],
          ]}
        />
      </div>
      {sent.length > 0 && (
        <section>
          <h2 className="small">Recent deliveries</h2>
          <ul className="stack-2 small">
            {sent.map((message) => (
              <li key={message.id} className="row">
                <Link to="/messages/$messageId" params={{ messageId: message.id }}>
                  <MessageStatus status={message.status} />
                </Link>
                <span className="push dimmer tn">{timeAndDay(message.timestamp)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div className="stack-2">
        <Link className="btn sm block" to="/contacts/$contactId" params={{ contactId: contact.id }}>
          <UserRound className="i" aria-hidden />
          Open contact
        </Link>
        <OptOutButton contact={contact} />
        <BlockButtons contact={contact} />
      </div>
    </aside>
  );
}
