import { Link, useNavigate } from '@tanstack/react-router';
import { CircleAlert, MessageCircle, Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { api, must, type Schemas } from '../../api/client';
import { Button, Segments, TextField } from '../../components/controls';
import { useList } from '../../hooks/queries';
import { Empty, Failure, Skeleton } from '../../components/display';
import { countText, totalText, fullTime, shortTime } from '../../lib/formats';
import { Dialog } from '../../components/overlays';
import { SearchBox } from '../../components/search-box';
import { showTitle } from '../../lib/page-title';
import { withoutMarks } from '../../lib/text-marks';
import { useFilters } from '../../hooks/use-filters';
import { usePathParam } from '../../hooks/use-path-param';
import { isRecipient, recipientsIn } from '../../lib/recipients';
import { Avatar, keyOf, nameOf } from '../contacts/shared/contact-parts';
import { LabelChips, LabelFilter } from '../contacts/shared/labels';
import { useTemplateText } from '../messages/shared/use-template';
import { EMPTY_VIEWS, QueueLine, ViewTabs, viewOf } from './queue';
import { Thread } from './thread';
import { isEmpty, useUnsent } from './reply-drafts';
import { listFilters } from './send-again';

type Conversation = Schemas['ConsoleConversation'];
const NEWS_MS = 10_000;

export function Page() {
  const phone = usePathParam('phone');
  const [filters, filter] = useFilters();
  const [isStarting, setStarting] = useState(false);
  const { search, windowOpen, label } = filters;
  const view = viewOf(filters.view);
  const conversations = useList(
    ['conversations', { view, search, label, windowOpen }],
    (cursor) =>
      must(
        api.GET('/console/v1/conversations', {
          params: { query: { view, search, label, cursor, ...(windowOpen && { windowOpen: windowOpen === 'true' }) } },
        }),
      ),
    (page) => page.conversations,
    { everyMs: () => NEWS_MS },
  );
  useEffect(() => {
    showTitle(phone === undefined || /[^0-9]/.test(phone) ? 'Conversations' : phone);
  }, [phone]);
  const first = conversations.data?.pages[0];
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
            placeholder="Name, @username or number"
            value={search ?? ''}
            onChange={(text) => filter({ search: text }, { isTyped: true })}
          />
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
          <LabelFilter />
        </div>
        <div className="convo-items">
          {conversations.error && <Failure error={conversations.error} onRetry={() => void conversations.refetch()} />}
          {conversations.isPending && !conversations.error && <Skeleton lines={6} />}
          {first && conversations.rows.length === 0 && (
            <Empty icon={MessageCircle} title="No conversations">
              {search || windowOpen || label ? 'No conversations match the current filters.' : EMPTY_VIEWS[view]}
            </Empty>
          )}
          <ul>
            {conversations.rows.map((conversation) => (
              <li key={keyOf(conversation)}>
                <Item
                  conversation={conversation}
                  isOpen={phone !== undefined && [conversation.phone, conversation.userId].includes(phone)}
                />
              </li>
            ))}
          </ul>
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
        <Thread key={phone} phone={phone} />
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

function Item({ conversation, isOpen }: { conversation: Conversation; isOpen: boolean }) {
  const { lastMessage, unreadCount, windowOpen } = conversation;
  const { direction, preview, type, timestamp, status, deletedAt } = lastMessage;
  const draft = useUnsent(keyOf(conversation));
  const template = useTemplateText(deletedAt === undefined ? lastMessage.template : undefined);
  const text = template ?? (preview === null ? type : withoutMarks(preview));
  const words = deletedAt === undefined ? text : 'Deleted message';
  const inside = (
    <>
      <Avatar contact={conversation} />
      <span className="strong cut" dir="auto">
        {nameOf(conversation)}
      </span>
      <time dateTime={timestamp} title={fullTime(timestamp)}>
        {shortTime(timestamp)}
      </time>
      <span className="preview">
        {isEmpty(draft) ? (
          <>
            {status === 'failed' && <CircleAlert className="i i-14" aria-label="Failed" />}
            <span className="cut" dir="auto">
              {direction === 'outbound' ? `You: ${words}` : words}
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
      {unreadCount > 0 ? (
        <span className="unread-n">
          {countText(unreadCount)}
          <span className="sr"> unread</span>
        </span>
      ) : (
        <span className="sr">{windowOpen ? 'Window open' : 'Templates only'}</span>
      )}
      <QueueLine queue={conversation.queue} />
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
