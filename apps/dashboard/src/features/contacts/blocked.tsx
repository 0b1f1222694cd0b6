import { Link } from '@tanstack/react-router';
import { Ban, Users } from 'lucide-react';
import { api, must, type Schemas } from '../../api/client';
import { useList } from '../../hooks/queries';
import { PageHead, Time } from '../../components/display';
import { List } from '../../components/list';
import { totalText } from '../../lib/numbers';
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
      <PageHead title="Blocked people" count={first && totalText(first)}>
        <Link className="btn sm" to="/contacts">
          <Users className="i" aria-hidden />
          All contacts
        </Link>
      </PageHead>
      <div className="stack-2">
        <p className="hint">
          The platform delivers no message between these people and your number. People you blocked elsewhere appear
          within an hour.
        </p>
        <List
          label="Blocked people"
          list={blocks}
          keyOf={(block) => `${keyOf(block)} ${block.phoneNumber}`}
          empty={{
            icon: Ban,
            title: 'Nobody is blocked',
            text: 'You can block a person in their conversation, or in their contact, within 24 hours after they wrote.',
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
    head: 'Your number',
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
