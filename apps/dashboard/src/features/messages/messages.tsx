import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowDownLeft, ArrowUpRight, Download, Mails, Users } from 'lucide-react';
import { useState } from 'react';
import { api, must, type Schemas } from '../../api/client';
import { useExportRefusal } from '../../api/session';
import type { operations } from '../../api/schema';
import { Button, Choice } from '../../components/controls';
import { useLog } from '../../hooks/queries';
import { PageHead, Time, wordOf } from '../../components/display';
import { oneOf, SPANS, sinceOf } from '../../lib/filters';
import { List } from '../../components/list';
import { visibleName } from '../../lib/visible-name';
import { totalText } from '../../lib/formats';
import { SearchBox } from '../../components/search-box';
import { useFilters } from '../../hooks/use-filters';
import { usePathParam } from '../../hooks/use-path-param';
import { ExportDialog, queryOf } from '../../components/export-dialog';
import { isUserId } from '../../lib/recipients';
import { PhoneText } from '../contacts/shared/contact-parts';
import { MessagePanel } from './message-panel';
import { type Message, MessageStatus, otherSideOf, Readable } from './shared/message-parts';

const DIRECTIONS = ['inbound', 'outbound'] as const;
const STATUSES = ['accepted', 'sent', 'delivered', 'read', 'failed', 'received', 'unknown'] as const;
const TYPES = [
  'text',
  'template',
  'image',
  'document',
  'video',
  'audio',
  'sticker',
  'location',
  'contacts',
  'interactive',
  'button',
  'reaction',
  'order',
  'call',
] as const;

type ListedMessage = Schemas['ConsoleMessage'];
type Filters = Record<string, string | undefined>;

/** Returns the filter that matches the format of the search text. */
function searched(text: string | undefined): Filters {
  const none = { phone: undefined, messageId: undefined, clientRef: undefined };
  const digits = text?.replace(/[+\s-]/g, '') ?? '';
  if (/^[0-9]{8,15}$/.test(digits) || isUserId(digits)) return { ...none, phone: digits };
  return text?.startsWith('wamid.') ? { ...none, messageId: text } : { ...none, clientRef: text };
}

const filterOf = (text: string): string => Object.values(searched(text)).find(Boolean) ?? '';

/** A partial phone number matches nothing, so it is not searched yet. */
const isWhole = (text: string): boolean => text === '' || !/^[+0-9\s-]{1,8}$/.test(text);

function askedFor({ within, since, ...filters }: Filters) {
  const { phone, messageId, clientRef, jobId, groupId, until } = filters;
  return {
    direction: oneOf(filters.direction, DIRECTIONS),
    status: oneOf(filters.status, STATUSES),
    type: oneOf(filters.type, TYPES),
    phone,
    messageId,
    clientRef,
    jobId,
    groupId,
    until,
    since: sinceOf(within) ?? since,
  };
}

type Asked = operations['listMessages']['parameters']['query'];

export function Page() {
  const [filters, filter] = useFilters();
  const messageId = usePathParam('messageId');
  const navigate = useNavigate();
  const exportRefusal = useExportRefusal();
  const [isExporting, setExporting] = useState(false);
  const messages = useLog(
    ['messages', filters],
    (cursor) => must(api.GET('/console/v1/messages', { params: { query: { ...askedFor(filters), cursor } as Asked } })),
    (page) => page.messages,
    { keyOf: ({ id }) => id },
  );
  const { newest } = messages;
  const search = (text: string | undefined): void => {
    if (text?.startsWith('msg_'))
      void navigate({ to: '/messages/$messageId', params: { messageId: text }, search: true });
    else filter(searched(text), { isTyped: true });
  };
  const close = (): void => void navigate({ to: '/messages', search: true });
  const isFiltered = Object.values(filters).some(Boolean);
  return (
    <div className={messageId ? 'main split' : 'main'}>
      <div className="page narrow">
        <PageHead title="Messages" count={newest && totalText(newest)}>
          <Button
            size="sm"
            icon={Download}
            refusal={exportRefusal ?? (newest ? undefined : 'Wait for the list to load')}
            onClick={() => setExporting(true)}
          >
            Export
          </Button>
        </PageHead>
        <div className="filters">
          <SearchBox
            label="Search by phone, ID or reference"
            placeholder="Phone, ID or reference"
            value={filters.phone ?? filters.messageId ?? filters.clientRef ?? ''}
            isWhole={isWhole}
            filterOf={filterOf}
            onChange={search}
          />
          <Filter label="Direction" name="direction" values={DIRECTIONS} filters={filters} filter={filter} />
          <Filter label="Status" name="status" values={STATUSES} filters={filters} filter={filter} />
          <Filter label="Type" name="type" values={TYPES} filters={filters} filter={filter} />
          <Choice
            label="Time"
            value={oneOf(filters.within, SPANS)}
            options={SPANS}
            onChange={(within) => filter({ within, since: undefined, until: undefined })}
          />
          {(['jobId', 'groupId', 'since', 'until'] as const).map(
            (name) =>
              filters[name] && (
                <Chip key={name} name={name} value={filters[name]} onDrop={() => filter({ [name]: undefined })} />
              ),
          )}
        </div>
        <List
          label="Messages"
          list={messages}
          keyOf={({ id }) => id}
          isSelected={({ id }) => id === messageId}
          empty={
            isFiltered
              ? {
                  icon: Mails,
                  title: 'No matching messages',
                  text: 'No messages match the current filters.',
                  action: (
                    <Link className="btn" to="/messages">
                      Show all messages
                    </Link>
                  ),
                }
              : {
                  icon: Mails,
                  title: 'No messages yet',
                  text: 'Messages that you send and receive appear here.',
                  action: (
                    <Link className="btn" to="/api-guide">
                      Send your first message
                    </Link>
                  ),
                }
          }
          columns={COLUMNS}
        />
      </div>
      {messageId && <MessagePanel key={messageId} messageId={messageId} onClose={close} />}
      {isExporting && newest && (
        <ExportDialog
          things="messages"
          total={newest.total}
          isExact={newest.totalIsExact}
          href={`/console/v1/exports/messages.csv${queryOf(askedFor(filters))}`}
          onClose={() => setExporting(false)}
        />
      )}
    </div>
  );
}

interface FilterProps {
  label: string;
  name: string;
  values: readonly string[];
  filters: Filters;
  filter(changed: Filters): void;
}

function Filter({ label, name, values, filters, filter }: FilterProps) {
  return (
    <Choice
      label={label}
      value={oneOf(filters[name], values)}
      onChange={(value) => filter({ [name]: value })}
      options={values.map((value) => [value, wordOf(value)] as const)}
    />
  );
}

const CHIP_NAMES = { jobId: 'Job', groupId: 'Group', since: 'Since', until: 'Until' };

function Chip({ name, value, onDrop }: { name: keyof typeof CHIP_NAMES; value: string; onDrop(): void }) {
  return (
    <span className="chip">
      <span>
        {CHIP_NAMES[name]} <span className="value mono">{value}</span>
      </span>
      <button type="button" className="x" aria-label={`Remove filter ${CHIP_NAMES[name]}`} onClick={onDrop}>
        ×
      </button>
    </span>
  );
}

const COLUMNS = [
  {
    head: 'Contact',
    isName: true,
    cell: (message: ListedMessage) => {
      const isInbound = message.direction === 'inbound';
      const Icon = isInbound ? ArrowDownLeft : ArrowUpRight;
      return (
        <Link className="cell" to="/messages/$messageId" params={{ messageId: message.id }} search={true}>
          <span className="row">
            <Icon className="i i-14 dir" aria-label={isInbound ? 'Received from' : 'Sent to'} />
            {visibleName(message.contactName) !== null && (
              <span className="cut lead" dir="auto">
                {message.contactName}
              </span>
            )}
            <PhoneText phone={otherSideOf(message) ?? 'Unknown'} />
            {message.groupId !== undefined && <Users className="i i-14 dir" aria-label="in a group" />}
          </span>
        </Link>
      );
    },
  },
  {
    head: 'Message',
    hide: 'sm' as const,
    cell: (message: Message) => (
      <span className="dim cut" dir="auto">
        <Readable message={message} />
      </span>
    ),
  },
  { head: 'Type', hide: 'md' as const, cell: ({ type }: Message) => <span className="dim">{wordOf(type)}</span> },
  {
    head: 'Status',
    cell: ({ status, error, held }: Message) => (
      <span className="row wrap tight">
        <MessageStatus status={status} />
        {held && <span className="reason">Held by the platform</span>}
        {error && <span className="reason">{error.title}</span>}
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
