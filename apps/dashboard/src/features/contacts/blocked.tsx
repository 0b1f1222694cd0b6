import { Link } from '@tanstack/react-router';
import { Ban, Users } from 'lucide-react';
import { api, must, type Schemas } from '../../api/client';
import { useList } from '../../hooks/queries';
import { PageHead, Time } from '../../components/display';
import { List } from '../../components/list';
import { totalText } from '../../lib/formats';
import { visibleName } from '../../lib/visible-name';
import { UnblockButton } from './shared/block-actions';
import { keyOf, PhoneText } from './shared/contact-parts';

type Block = Schemas['Block'];

/** Contacts that the account's numbers block on WhatsApp. */
export function Page() {
  const blocks = useList(
    ['blocks'],
    (cursor) => must(api.GET('/console/v1/blocks', { params: { query: { cursor } } })),
    (page) => page.blocks,
  );
  const first = blocks.data?.pages[0];
  return (
    <div className="page narrow">
      <PageHead title="Blocked contacts" count={first && totalText(first)}>
        <Link className="btn sm" to="/contacts">
          <Users className="i" aria-hidden />
          All contacts
        </Link>
      </PageHead>
      <div className="stack-2">
        <p className="hint">
          The platform delivers no messages between these contacts and your number. Contacts blocked outside Switchboard
          appear within an hour.
        </p>
        <List
          label="Blocked contacts"
          list={blocks}
          keyOf={(block) => `${keyOf(block)} ${block.phoneNumber}`}
          empty={{
            icon: Ban,
            title: 'No blocked contacts',
            text: 'You can block a contact from their conversation or contact page within 24 hours of their last message.',
          }}
          columns={COLUMNS}
        />
      </div>
    </div>
  );
}

const COLUMNS = [
  {
    head: 'Name',
    cell: ({ name, contactId, ...person }: Block) =>
      contactId === null ? (
        <span className="dim">Not a contact</span>
      ) : (
        <Link className="cell" to="/contacts/$contactId" params={{ contactId }}>
          <span className="cut" dir="auto">
            {visibleName(name) ?? keyOf(person)}
          </span>
        </Link>
      ),
  },
  {
    head: 'Phone',
    cell: (block: Block) => (
      <span className="dim">
        <PhoneText phone={keyOf(block)} />
      </span>
    ),
  },
  {
    head: 'Business number',
    hide: 'sm' as const,
    cell: ({ phoneNumber }: Block) => <span className="dim tn">{phoneNumber}</span>,
  },
  {
    head: 'Blocked',
    hide: 'sm' as const,
    cell: ({ blockedAt }: Block) => (
      <span className="dim">
        <Time at={blockedAt} />
      </span>
    ),
  },
  {
    head: '',
    cell: (block: Block) => <UnblockButton phone={keyOf(block)} from={block.phoneNumber} />,
  },
];
