import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Search, SearchX } from 'lucide-react';
import { api, must, type Schemas } from '../../api/client';
import { Button } from '../../components/controls';
import { Empty, Failure, PageHead, Skeleton, Time } from '../../components/display';
import { List } from '../../components/list';
import { SearchBox } from '../../components/search-box';
import { useFilters } from '../../hooks/use-filters';
import { visibleName } from '../../lib/visible-name';
import { otherSideOf, Readable } from '../messages/shared/message-parts';
import { type Found, groupsOf } from './shared/found';
import { isMessageText, isSearchable } from './shared/search-text';
import { useSearch } from './shared/use-search';

const MOST_PER_KIND = 20;

type Message = Schemas['ConsoleMessage'];

export function Page() {
  // Message texts are searched only on request, which the address keeps.
  const [{ q = '', texts }, filter] = useFilters();
  const text = q.trim();
  const askTexts = (): void => filter({ texts: 'true' }, { isTyped: true });
  return (
    <div className="page narrow">
      <PageHead title="Search" />
      <div className="filters">
        <SearchBox
          label="Search everything"
          placeholder="Name, number, text or ID"
          value={q}
          onChange={(typed) => filter({ q: typed, texts: undefined }, { isTyped: true })}
          onEnter={(typed) => filter({ q: typed, texts: 'true' }, { isTyped: true })}
        />
      </div>
      {isSearchable(text) ? (
        <div className="stack" key={text}>
          <Results text={text} />
          {isMessageText(text) && (
            <section className="stack" aria-label="Message texts">
              <h2>Message texts</h2>
              {texts === 'true' ? (
                <Texts text={text} />
              ) : (
                <div>
                  <Button size="sm" icon={Search} onClick={askTexts}>
                    Search message texts
                  </Button>
                </div>
              )}
            </section>
          )}
        </div>
      ) : (
        <Empty icon={Search} title="Search the account">
          Find contacts, messages, templates, jobs and API keys by a part of a name, a number, a reference or an ID, and
          messages by their text. Enter at least two characters, and press Enter to search message texts too.
        </Empty>
      )}
    </div>
  );
}

function Results({ text }: { text: string }) {
  const { data, error, refetch } = useSearch(text, MOST_PER_KIND);
  if (!data) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Skeleton lines={3} />;
  const shown = groupsOf(data).filter(({ found, isIncomplete }) => found === null || found.length > 0 || isIncomplete);
  return (
    <>
      {shown.length === 0 && (
        <p className="hint" role="status">
          No contact, template, job, API key, message ID or reference matches.
        </p>
      )}
      {shown.map(({ kind, title, found, isIncomplete }) => (
        <section key={kind} className="stack" aria-label={title}>
          <h2>{title}</h2>
          {found === null ? (
            <p className="hint">These results are unavailable. Try again in a minute.</p>
          ) : found.length > 0 ? (
            <List
              label={title}
              list={{ rows: found, isPending: false, error: null, refetch }}
              keyOf={({ key }) => key}
              empty={NOTHING}
              columns={FOUND_COLUMNS}
            />
          ) : null}
          {isIncomplete && found && (
            <p className="hint">
              {found.length < MOST_PER_KIND
                ? `Only the newest ${kind === 'keys' ? '1,000' : '5,000'} were searched.`
                : `Only the first ${MOST_PER_KIND} are shown.`}
            </p>
          )}
          {kind === 'contacts' && isIncomplete && (
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

/**
 * Messages with the text. Each page scans a bounded number of messages, so a page may be empty before the end. No scan
 * is repeated automatically.
 */
function Texts({ text }: { text: string }) {
  const query = useInfiniteQuery({
    queryKey: ['search', 'texts', text],
    queryFn: ({ pageParam: cursor, signal }) =>
      must(api.GET('/console/v1/messages', { params: { query: { text, cursor } }, signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    meta: { isOnRequest: true },
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const { data, isFetchNextPageError, refetch, fetchNextPage } = query;
  return (
    <List
      label="Message texts"
      list={{
        ...query,
        rows: (data?.pages ?? []).flatMap(({ messages }) => messages),
        refetch: () => (isFetchNextPageError ? fetchNextPage() : refetch()),
      }}
      keyOf={({ id }) => id}
      empty={{
        icon: SearchX,
        title: 'No matching messages',
        text: 'No message text or caption contains this. Templates and one-time passwords are not searched.',
      }}
      columns={messageColumns(text)}
    />
  );
}

/** Link to a message in its conversation, where the text is marked. */
function FoundLink({ message, text }: { message: Message; text: string }) {
  const other = otherSideOf(message);
  const name = (
    <span className="cut" dir="auto">
      {visibleName(message.contactName) ?? other ?? 'Unknown'}
    </span>
  );
  // A message of a group has no conversation.
  if (other === null)
    return (
      <Link className="cell" to="/messages/$messageId" params={{ messageId: message.id }}>
        {name}
      </Link>
    );
  return (
    <Link className="cell" to="/conversations/$phone" params={{ phone: other }} search={{ at: message.id, find: text }}>
      {name}
    </Link>
  );
}

const messageColumns = (text: string) => [
  {
    head: 'Contact',
    cell: (message: Message) => <FoundLink message={message} text={text} />,
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
