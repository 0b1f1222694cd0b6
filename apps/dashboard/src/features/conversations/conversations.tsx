import { Link, useNavigate } from '@tanstack/react-router';
import { CircleAlert, ListFilter, Lock, MessageCircle, Plus, Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { api, must, type Schemas } from '../../api/client';
import { useMe } from '../../api/session';
import { Button, Segments, TextField } from '../../components/controls';
import { useList } from '../../hooks/queries';
import { Empty, Failure, Skeleton } from '../../components/display';
import { countText, totalText, fullTime, shortTime } from '../../lib/formats';
import { Dialog } from '../../components/overlays';
import { SearchBox } from '../../components/search-box';
import { usePopover } from '../../components/use-popover';
import { showTitle } from '../../lib/page-title';
import { withoutMarks } from '../../lib/text-marks';
import { useMinutes } from '../../lib/use-minutes';
import { useFilters } from '../../hooks/use-filters';
import { usePathParam } from '../../hooks/use-path-param';
import { focusOpenRow } from '../../lib/focus-composer';
import { isRecipient, recipientsIn } from '../../lib/recipients';
import { Avatar, keyOf, nameOf } from '../contacts/shared/contact-parts';
import { LabelChips, LabelFilter } from '../contacts/shared/labels';
import { authorOf } from '../messages/shared/message-parts';
import { useTemplateText } from '../messages/shared/use-template';
import { isMessageText } from '../search/shared/search-text';
import { kindOf } from './message-kinds';
import { AssigneeFilter, EMPTY_VIEWS, NextConversation, QueueLine, ViewTabs, viewOf } from './queue';
import { Thread } from './thread';
import { isEmpty, useUnsent } from './reply-drafts';
import { listFilters } from './send-again';
import { closingText } from './service-window';

type Conversation = Schemas['ConsoleConversation'];
const NEWS_MS = 10_000;

export function Page() {
  const phone = usePathParam('phone');
  const [filters, filter] = useFilters();
  const [isStarting, setStarting] = useState(false);
  const { search, windowOpen, label, assignee } = filters;
  const view = viewOf(filters.view);
  const conversations = useList(
    ['conversations', { view, search, label, windowOpen, assignee }],
    (cursor) =>
      must(
        api.GET('/console/v1/conversations', {
          params: {
            query: {
              view,
              search,
              label,
              cursor,
              ...(assignee && { assigneeId: assignee }),
              ...(windowOpen && { windowOpen: windowOpen === 'true' }),
            },
          },
        }),
      ),
    (page) => page.conversations,
    { everyMs: () => NEWS_MS },
  );
  useEffect(() => {
    showTitle(phone === undefined || /[^0-9]/.test(phone) ? 'Conversations' : phone);
  }, [phone]);
  const first = conversations.data?.pages[0];
  const goOn = useGoOn(conversations.rows, phone);
  return (
    <div className={phone ? 'convo' : 'convo is-list'}>
      <section className="convo-list" aria-label="Conversations">
        <div className="convo-head">
          {phone ? <h2>Conversations</h2> : <h1>Conversations</h1>}
          <span className="count">{first && totalText(first)}</span>
          <span className="push" />
          <Button look="ghost" size="sm" icon={Plus} aria-label="New conversation" onClick={() => setStarting(true)} />
        </div>
        <ViewTabs view={view} />
        <div className="convo-find">
          <SearchBox
            label="Search conversations"
            placeholder="Name or number"
            value={search ?? ''}
            onChange={(text) => filter({ search: text }, { isTyped: true })}
          />
          <Filters />
        </div>
        <div className="convo-items">
          {conversations.error && <Failure error={conversations.error} onRetry={() => void conversations.refetch()} />}
          {conversations.isPending && !conversations.error && <Skeleton lines={6} />}
          {first && conversations.rows.length === 0 && (
            <Empty icon={MessageCircle} title="No conversations">
              {search || windowOpen || label || assignee
                ? 'No conversations match the current filters.'
                : EMPTY_VIEWS[view]}
            </Empty>
          )}
          <ul>
            {conversations.rows.map((conversation) => (
              <li key={keyOf(conversation)}>
                <Item conversation={conversation} isOpen={isAbout(conversation, phone)} />
              </li>
            ))}
          </ul>
          {search !== undefined && isMessageText(search) && (
            <Link className="search-texts" to="/search" search={{ q: search, texts: 'true' }}>
              <Search className="i i-14" aria-hidden />
              <span className="cut">
                Search message texts for “<bdi>{search}</bdi>”
              </span>
            </Link>
          )}
          {conversations.hasNextPage && (
            <div className="pager">
              <Button
                size="sm"
                isBusy={conversations.isFetchingNextPage}
                onClick={() => void conversations.fetchNextPage()}
              >
                Show more
              </Button>
            </div>
          )}
        </div>
      </section>
      {phone ? (
        <NextConversation value={view === 'all' || view === 'done' ? undefined : goOn}>
          <Thread key={phone} phone={phone} />
        </NextConversation>
      ) : (
        <section className="convo-thread" aria-label="Conversation">
          <Empty icon={MessageCircle} title="No conversation selected">
            Select a conversation from the list.
          </Empty>
        </section>
      )}
      {isStarting && <NewConversation onClose={() => setStarting(false)} />}
    </div>
  );
}

const focusPage = (): void => document.querySelector<HTMLElement>('#main')?.focus();

/** Returns whether a conversation is the one of the address, which names a number or a user ID. */
const isAbout = ({ phone, userId }: Conversation, key: string | undefined): boolean =>
  key !== undefined && [phone, userId].includes(key);

/**
 * Returns a function that opens the conversation after the open one, or the last one, and moves the focus to its row.
 * The list may have lost the open conversation by then, so its place is remembered.
 */
function useGoOn(rows: readonly Conversation[], phone: string | undefined): () => void {
  const navigate = useNavigate();
  const place = useRef(0);
  const isGoing = useRef(false);
  const open = rows.findIndex((row) => isAbout(row, phone));
  useEffect(() => {
    if (open >= 0) place.current = open;
  }, [open]);
  useEffect(() => {
    if (!isGoing.current) return;
    isGoing.current = false;
    // The list is hidden on a narrow screen, where the page takes the focus.
    if (!focusOpenRow()) focusPage();
  }, [phone]);
  return () => {
    const others = rows.filter((row) => !isAbout(row, phone));
    const next = others[place.current] ?? others.at(-1);
    isGoing.current = next !== undefined;
    if (next) void navigate({ to: '/conversations/$phone', params: { phone: keyOf(next) }, search: listFilters });
    else void navigate({ to: '/conversations', search: listFilters }).then(focusPage);
  };
}

/** Filters of the list behind one button, which shows how many are set. */
function Filters() {
  const { box, isOpen, setOpen, close } = usePopover();
  const [{ windowOpen, label, assignee }, filter] = useFilters();
  const count = [windowOpen, label, assignee].filter(Boolean).length;
  return (
    <div
      className="menu-box"
      ref={box}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isOpen) close();
      }}
    >
      <Button size="sm" icon={ListFilter} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {count > 0 ? `Filter (${count})` : 'Filter'}
      </Button>
      {isOpen && (
        <div className="convo-filters" role="group" aria-label="Filters">
          <AssigneeFilter />
          <LabelFilter />
          <Segments
            isSmall
            label="24-hour window"
            value={windowOpen === 'true' || windowOpen === 'false' ? windowOpen : ''}
            onChange={(value) => filter({ windowOpen: value || undefined })}
            options={[
              ['', 'Any window'],
              ['true', 'Open'],
              ['false', 'Templates only'],
            ]}
          />
          {count > 0 && (
            <Button
              size="sm"
              look="ghost"
              onClick={() => {
                filter({ windowOpen: undefined, label: undefined, assignee: undefined });
                close();
              }}
            >
              Clear filters
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/** Returns the sender of an outbound message, to show before its text. */
function useSender({ direction, sentBy }: Conversation['lastMessage']): string | undefined {
  const { me } = useMe();
  if (direction === 'inbound') return undefined;
  return sentBy?.id === me.user.id ? 'You' : (authorOf({ sentBy }) ?? 'Team');
}

function Item({ conversation, isOpen }: { conversation: Conversation; isOpen: boolean }) {
  useMinutes();
  const { lastMessage, unreadCount, windowExpiresAt } = conversation;
  const { preview, type, timestamp, status, deletedAt } = lastMessage;
  const draft = useUnsent(keyOf(conversation));
  const template = useTemplateText(deletedAt === undefined ? lastMessage.template : undefined);
  const { icon: Icon, text: word } = kindOf(type);
  const text = template ?? (preview === null ? word : withoutMarks(preview));
  const words = deletedAt === undefined ? text : 'Deleted message';
  const sender = useSender(lastMessage);
  const isClosed = !conversation.windowOpen || windowExpiresAt === null || Date.parse(windowExpiresAt) <= Date.now();
  const inside = (
    <>
      <Avatar contact={conversation} />
      <span className="strong cut" dir="auto">
        {nameOf(conversation)}
      </span>
      <span className="when">
        {isClosed && (
          <>
            <Lock className="i i-14" aria-hidden />
            <span className="sr">Templates only</span>
          </>
        )}
        <time dateTime={timestamp} title={fullTime(timestamp)}>
          {shortTime(timestamp)}
        </time>
      </span>
      <span className="preview">
        {isEmpty(draft) ? (
          <>
            {status === 'failed' && <CircleAlert className="i i-14" aria-label="Failed" />}
            {Icon && deletedAt === undefined && <Icon className="i i-14" aria-hidden />}
            <span className="cut" dir="auto">
              {sender === undefined ? words : `${sender}: ${words}`}
            </span>
          </>
        ) : (
          <>
            <span className="draft">Draft:</span>
            <span className="cut" dir="auto">
              {draft.text.trim() || draft.file?.name}
            </span>
          </>
        )}
      </span>
      {unreadCount > 0 && (
        <span className="unread-n">
          {countText(unreadCount)}
          <span className="sr"> unread</span>
        </span>
      )}
      <QueueLine queue={conversation.queue} closesIn={isClosed ? undefined : closingText(conversation)} />
      {conversation.labels.length > 0 && (
        <span className="label-line">
          <LabelChips names={conversation.labels} />
        </span>
      )}
    </>
  );
  const look = unreadCount > 0 ? 'convo-item unread' : 'convo-item';
  return (
    <Link
      className={look}
      to="/conversations/$phone"
      params={{ phone: keyOf(conversation) }}
      search={listFilters}
      aria-current={isOpen || undefined}
    >
      {inside}
    </Link>
  );
}

function NewConversation({ onClose }: { onClose(): void }) {
  const [phone, setPhone] = useState('');
  const navigate = useNavigate();
  const [person] = recipientsIn(phone);
  const isWhole = person !== undefined && isRecipient(person);
  return (
    <Dialog
      title="New conversation"
      about="Start with a template if the customer has not written to you."
      onClose={onClose}
      isGuarded={false}
      onSubmit={() => {
        if (!isWhole) return;
        void navigate({ to: '/conversations/$phone', params: { phone: person } });
        onClose();
      }}
      foot={
        <>
          <span className="push" />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" refusal={isWhole ? undefined : 'Enter the complete number'}>
            Open
          </Button>
        </>
      }
    >
      <TextField
        label="Phone number"
        hint="With country code, or the user ID of a contact with a hidden number"
        value={phone}
        onChange={setPhone}
        input={{ autoFocus: true, placeholder: '919812345678' }}
      />
    </Dialog>
  );
}
