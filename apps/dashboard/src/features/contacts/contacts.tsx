import { Link, useNavigate } from '@tanstack/react-router';
import { Ban, Download, Users } from 'lucide-react';
import { useState } from 'react';
import { api, must, type Schemas } from '../../api/client';
import { useExportRefusal } from '../../api/session';
import { Button, Select } from '../../components/controls';
import { useList } from '../../hooks/queries';
import { PageHead, Time } from '../../components/display';
import { List } from '../../components/list';
import { totalText } from '../../lib/formats';
import { SearchBox } from '../../components/search-box';
import { useFilters } from '../../hooks/use-filters';
import { usePathParam } from '../../hooks/use-path-param';
import { ContactPanel } from './contact-panel';
import { BlockStatus, ContactPhone, handleBesideName, nameOf, optOutCause, OptOutStatus } from './shared/contact-parts';
import { useUserNames } from './use-user-names';
import { LabelChips, LabelFilter } from './shared/labels';
import { ExportDialog, queryOf } from '../../components/export-dialog';

type Contact = Schemas['Contact'];

export function Page() {
  const [filters, filter] = useFilters();
  const contactId = usePathParam('contactId');
  const navigate = useNavigate();
  const exportRefusal = useExportRefusal();
  const [isExporting, setExporting] = useState(false);
  const { search, optedOut, label } = filters;
  const contacts = useList(
    ['contacts', filters],
    (cursor) =>
      must(
        api.GET('/console/v1/contacts', {
          params: { query: { search, label, cursor, ...(optedOut && { optedOut: optedOut === 'true' }) } },
        }),
      ),
    (page) => page.contacts,
  );
  const first = contacts.data?.pages[0];
  const isFiltered = Boolean(search || optedOut || label);
  return (
    <div className={contactId ? 'main split' : 'main'}>
      <div className="page narrow">
        <PageHead title="Contacts" count={first && totalText(first)}>
          <Link className="btn sm" to="/contacts/blocked">
            <Ban className="i" aria-hidden />
            Blocked contacts
          </Link>
          <Button
            size="sm"
            icon={Download}
            refusal={exportRefusal ?? (first ? undefined : 'Wait for the list to load')}
            onClick={() => setExporting(true)}
          >
            Export
          </Button>
        </PageHead>
        <div className="filters">
          <SearchBox
            label="Search contacts"
            placeholder="Name, @username or number"
            value={search ?? ''}
            onChange={(text) => filter({ search: text }, { isTyped: true })}
          />
          <Select
            isSmall
            label="Marketing"
            value={optedOut ?? ''}
            onChange={(value) => filter({ optedOut: value || undefined })}
            options={[
              ['', 'Any'],
              ['true', 'Opted out'],
              ['false', 'Allowed'],
            ]}
          />
          <LabelFilter />
        </div>
        <List
          label="Contacts"
          list={contacts}
          keyOf={({ id }) => id}
          isSelected={({ id }) => id === contactId}
          empty={
            isFiltered
              ? { icon: Users, title: 'No matching contacts', text: 'No contacts match the current filters.' }
              : {
                  icon: Users,
                  title: 'No contacts yet',
                  text: 'The people you exchange messages with appear here.',
                }
          }
          columns={COLUMNS}
        />
      </div>
      {contactId && (
        <ContactPanel
          key={contactId}
          contactId={contactId}
          onClose={() => void navigate({ to: '/contacts', search: true })}
        />
      )}
      {isExporting && first && (
        <ExportDialog
          things="contacts"
          total={first.total}
          isExact={first.totalIsExact}
          href={`/console/v1/exports/contacts.csv${queryOf({ search, optedOut, label })}`}
          more={
            <>
              <a className="link" href="/console/v1/exports/notes.csv" download>
                Download the internal notes about all contacts
              </a>
              <br />
              <a className="link" href="/console/v1/exports/activities.csv" download>
                Download who assigned and closed conversations
              </a>
            </>
          }
          onClose={() => setExporting(false)}
        />
      )}
    </div>
  );
}

const COLUMNS = [
  {
    head: 'Name',
    cell: (contact: Contact) => (
      <>
        <Link className="cell" to="/contacts/$contactId" params={{ contactId: contact.id }} search={true}>
          <span className="cut" dir="auto">
            {nameOf(contact)}
          </span>
          <BlockStatus contact={contact} />
        </Link>
        {contact.lastMessageAt !== null && (
          <span className="only-sm hint">
            Last message <Time at={contact.lastMessageAt} />
          </span>
        )}
        {contact.optOut && (
          <span className="only-sm">
            <OptOutStatus contact={contact} />
          </span>
        )}
      </>
    ),
  },
  {
    head: 'Phone',
    cell: (contact: Contact) => (
      <span className="row wrap tight dim">
        <ContactPhone phone={contact.phone} />
        {handleBesideName(contact) && <span className="cut">{handleBesideName(contact)}</span>}
      </span>
    ),
  },
  {
    head: 'Labels',
    hide: 'md' as const,
    cell: ({ labels }: Contact) => (
      <span className="label-line">
        <LabelChips names={labels} />
      </span>
    ),
  },
  {
    head: 'Window',
    hide: 'sm' as const,
    cell: ({ windowOpen, windowExpiresAt }: Contact) =>
      windowOpen ? (
        <span className="dim">
          Closes <Time at={windowExpiresAt} />
        </span>
      ) : (
        <span className="dimmer">Templates only</span>
      ),
  },
  { head: 'Marketing', hide: 'sm' as const, cell: (contact: Contact) => <Marketing contact={contact} /> },
  {
    head: 'Last message',
    hide: 'md' as const,
    cell: ({ lastMessageAt }: Contact) => (
      <span className="dim">
        <Time at={lastMessageAt} />
      </span>
    ),
  },
];

/** Whether the contact receives marketing messages; after an opt-out, also how and when they opted out. */
function Marketing({ contact }: { contact: Contact }) {
  const nameOf = useUserNames();
  const { optOut } = contact;
  const cause = optOut ? optOutCause(optOut, nameOf) : undefined;
  return (
    <>
      <OptOutStatus contact={contact} />
      {optOut && (cause !== undefined || optOut.at !== null) && (
        <div className="hint cut">
          {cause}
          {cause !== undefined && optOut.at !== null && ', '}
          {optOut.at !== null && <Time at={optOut.at} />}
        </div>
      )}
    </>
  );
}
