import { Link } from '@tanstack/react-router';
import { Search, SearchX } from 'lucide-react';
import { api, must, type Schemas } from '../../api/client';
import { Empty, Failure, PageHead, Skeleton, Time } from '../../components/display';
import { List } from '../../components/list';
import { SearchBox } from '../../components/search-box';
import { useFilters } from '../../hooks/use-filters';
import { useList } from '../../hooks/queries';
import { visibleName } from '../../lib/visible-name';
import { otherSideOf, Readable } from '../messages/shared/message-parts';
import { type Found, groupsOf } from './shared/found';
import { isMessageText, isSearchable } from './shared/search-text';
import { useSearch } from './shared/use-search';

const MOST_PER_KIND = 20;

type Message = Schemas['ConsoleMessage'];

export function Page() {
  const [{ q = '' }, filter] = useFilters();
  const text = q.trim();
  return (
    <div className="page narrow">
      <PageHead title="Search" />
      <div className="filters">
        <SearchBox
          label="Search everything"
          placeholder="Name, number, text or ID"
          value={q}
          onChange={(typed) => filter({ q: typed }, { isTyped: true })}
        />
      </div>
      {isSearchable(text) ? (
        <div className="stack" key={text}>
          <Results text={text} />
          {isMessageText(text) && <Texts text={text} />}
        </div>
      ) : (
        <Empty icon={Search} title="Search the account">
          Find contacts, messages, templates, jobs and API keys by a part of a name, a number, a reference or an ID, and
          messages by their text. Enter at least two characters.
        </Empty>
      )}
    </div>
  );
}

function Results({ text }: { text: string }) {
  const { data, error, refetch } = useSearch(text, MOST_PER_KIND);
  if (!data) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Skeleton lines={3} />;
  const shown = groupsOf(data).filter(({ found }) => found === null || found.length > 0);
  return (
    <>
      {shown.length === 0 && (
        <p className="hint" role="status">
          No contact, template, job, API key, message ID or reference matches.
        </p>
      )}
      {shown.map(({ kind, title, found }) => (
        <section key={kind} className="stack" aria-label={title}>
          <h2>{title}</h2>
          {found === null ? (
            <p className="hint">This part of the search does not respond. Try again in a minute.</p>
          ) : (
            <List
              label={title}
              list={{ rows: found, isPending: false, error: null, refetch }}
              keyOf={({ key }) => key}
              empty={NOTHING}
              columns={FOUND_COLUMNS}
            />
          )}
          {kind === 'contacts' && found?.length === MOST_PER_KIND && (
            <Link className="link" to="/contacts" search={{ search: text }}>
              Show all contacts
            </Link>
          )}
        </section>
      ))}
    </>
  );
}

const NOTHING = { icon: SearchX, title: 'No results', text: 'Nothing matches.' };

const FOUND_COLUMNS = [
  {
    head: 'Name',
    cell: ({ text, to }: Found) => (
      <Link className="cell" to={to}>
        <span className="cut" dir="auto">
          {text}
        </span>
      </Link>
    ),
  },
  {
    head: 'Details',
    cell: ({ detail }: Found) => (
      <span className="dim cut" dir="auto">
        {detail}
      </span>
    ),
  },
];

/** Messages with the text. Each page scans a bounded number of messages, so a page may be empty before the end. */
function Texts({ text }: { text: string }) {
  const messages = useList(
    ['search', 'texts', text],
    (cursor) => must(api.GET('/console/v1/messages', { params: { query: { text, cursor } } })),
    (page) => page.messages,
  );
  return (
    <section className="stack" aria-label="Message texts">
      <h2>Message texts</h2>
      <List
        label="Message texts"
        list={messages}
        keyOf={({ id }) => id}
        empty={{
          icon: SearchX,
          title: 'No matching messages',
          text: 'No message text or caption contains this. Templates and one-time passwords are not searched.',
        }}
        columns={MESSAGE_COLUMNS}
      />
    </section>
  );
}

const MESSAGE_COLUMNS = [
  {
    head: 'Contact',
    cell: (message: Message) => (
      <Link className="cell" to="/messages/$messageId" params={{ messageId: message.id }}>
        <span className="cut" dir="auto">
          {visibleName(message.contactName) ?? otherSideOf(message) ?? 'Unknown'}
        </span>
      </Link>
    ),
  },
  {
    head: 'Message',
    isWide: true,
    cell: (message: Message) => (
      <span className="dim cut" dir="auto">
        <Readable message={message} />
      </span>
    ),
  },
  {
    head: 'Time',
    hide: 'sm' as const,
    cell: ({ timestamp }: Message) => (
      <span className="dim nowrap">
        <Time at={timestamp} />
      </span>
    ),
  },
];
