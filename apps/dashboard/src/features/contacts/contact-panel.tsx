import { Link, useNavigate } from '@tanstack/react-router';
import { Mails, MessageCircle } from 'lucide-react';
import { useState } from 'react';
import { api, must, type Schemas } from '../../api/client';
import { useRefusal } from '../../api/session';
import { Button, Form, TextField } from '../../components/controls';
import { useChange, useRead } from '../../hooks/queries';
import { Facts, Failure, Skeleton, Time } from '../../components/display';
import { WithReasons } from '../../components/disabled-reasons';
import { countText, fullTime, localTime } from '../../lib/formats';
import { visibleName } from '../../lib/visible-name';
import { Panel } from '../../components/overlays';
import { BlockButtons } from './shared/block-actions';
import { ContactLabels } from './shared/contact-labels';
import { OptOutButton } from './shared/contact-actions';
import { EraseDialog } from './erase-dialog';
import { BlockStatus, keyOf, nameOf, optOutCause, OptOutStatus } from './shared/contact-parts';
import { useUserNames } from './use-user-names';

type Contact = Schemas['ContactDetail'];

export function ContactPanel({ contactId, onClose }: { contactId: string; onClose(): void }) {
  const read = useRead(['contacts', 'one', contactId], () =>
    must(api.GET('/console/v1/contacts/{contactId}', { params: { path: { contactId } } })),
  );
  const navigate = useNavigate();
  const refusal = useRefusal('owner');
  const [isErasing, setErasing] = useState(false);
  const contact = read.data?.contact;
  if (!contact)
    return (
      <Panel title="Contact" onClose={onClose}>
        {read.error ? <Failure error={read.error} onRetry={() => void read.refetch()} /> : <Skeleton />}
      </Panel>
    );
  const phone = keyOf(contact);
  return (
    <Panel
      title={nameOf(contact)}
      status={
        <>
          <BlockStatus contact={contact} />
          <OptOutStatus contact={contact} />
        </>
      }
      onClose={onClose}
      foot={
        <>
          <Link className="btn sm" to="/conversations/$phone" params={{ phone }}>
            <MessageCircle className="i" aria-hidden />
            Conversation
          </Link>
          <Link className="btn sm" to="/messages" search={{ phone }}>
            <Mails className="i" aria-hidden />
            Messages
          </Link>
        </>
      }
    >
      {read.error && <Failure error={read.error} onRetry={() => void read.refetch()} />}
      <Rename key={contact.name} contact={contact} />
      <ContactLabels contact={contact} />
      <Facts
        rows={[
          ['Phone', contact.phone ?? 'Hidden by the contact'],
          contact.username !== null && ['Username', `@${contact.username}`],
          contact.appName !== null && ['Name in the app', contact.appName],
          ['Profile name', visibleName(contact.profileName) ?? '–'],
          contact.userId !== null && ['Platform ID', contact.userId],
          contact.parentUserId !== null && ['Portfolio ID', contact.parentUserId],
          ['Messages', `${countText(contact.messageCount)}, ${countText(contact.unreadCount)} unread`],
          ['Last message', <Time key="last" at={contact.lastMessageAt} />],
          ['Last inbound message', <Time key="inbound" at={contact.lastInboundAt} />],
          ['Contact since', fullTime(contact.createdAt)],
        ]}
      />
      <section>
        <h3>Service windows</h3>
        {contact.windows.length === 0 && (
          <p className="hint">This contact has not written to you. You can send only templates.</p>
        )}
        <Facts
          rows={contact.windows.map(({ phoneNumber, open, expiresAt }) => [
            phoneNumber,
            <span key={phoneNumber}>
              {open ? 'Open, closes ' : 'Templates only, ended '}
              <Time at={expiresAt} />
            </span>,
          ])}
        />
      </section>
      <section>
        <h3>Opt-out</h3>
        <div className="stack-2">
          <OptOutSince contact={contact} />
          <p className="hint">{optOutText(contact)}</p>
          <WithReasons className="row wrap">
            <OptOutButton contact={contact} />
          </WithReasons>
        </div>
      </section>
      <section>
        <h3>Block</h3>
        <div className="stack-2">
          <p className="hint">
            {contact.blockedOn.length > 0
              ? `The platform delivers no messages between this contact and ${contact.blockedOn.join(', ')}.`
              : 'Blocking stops messages in both directions. An opt-out stops only your messages.'}
          </p>
          <WithReasons className="row wrap">
            <BlockButtons contact={contact} />
          </WithReasons>
        </div>
      </section>
      <section>
        <h3>Erase</h3>
        <div className="stack-2">
          <p className="hint">
            Permanently deletes the contact with their messages, files and events. The number of deleted items is shown
            first.
          </p>
          <WithReasons className="row wrap">
            <Button size="sm" look="danger-quiet" refusal={refusal} onClick={() => setErasing(true)}>
              Erase contact
            </Button>
          </WithReasons>
        </div>
      </section>
      {isErasing && (
        <EraseDialog
          phone={phone}
          onErased={() => void navigate({ to: '/contacts', search: {} })}
          onClose={() => setErasing(false)}
        />
      )}
    </Panel>
  );
}

/** When and how the contact opted out, such as `Opted out since 29 Nov 2026, 06:55:10. Wrote STOP.` */
function OptOutSince({ contact: { optOut } }: { contact: Contact }) {
  const userNameOf = useUserNames();
  if (!optOut) return null;
  const cause = optOutCause(optOut, userNameOf);
  return (
    <p className="small strong">
      Opted out
      {optOut.at !== null && (
        <>
          {' '}
          since <time dateTime={optOut.at}>{localTime(optOut.at)}</time>
        </>
      )}
      .{cause !== undefined && ` ${cause}.`}
    </p>
  );
}

function optOutText({ optedOut, marketingOptOut, blocked }: Contact): string {
  if (blocked) return 'All messages to this contact are rejected.';
  if (optedOut) return 'Marketing templates to this contact are rejected.';
  if (marketingOptOut) return 'The contact opted out of marketing on the platform. Only they can change this.';
  return 'The contact receives your messages. Writing STOP opts a customer out.';
}

function Rename({ contact }: { contact: Contact }) {
  const refusal = useRefusal('agent');
  const { id, name } = contact;
  // Name shown when the account has set none.
  const given = contact.appName ?? contact.profileName;
  const known = name === given ? '' : (name ?? '');
  const [typed, setTyped] = useState(known);
  const change = useChange(
    () =>
      must(
        api.PATCH('/console/v1/contacts/{contactId}', {
          params: { path: { contactId: id } },
          body: { name: typed.trim() },
        }),
      ),
    { done: 'Name saved.', quiet: true },
  );
  return (
    <Form onSubmit={() => refusal === undefined && change.mutate(undefined)}>
      <div className="stack-2">
        <TextField
          label="Display name"
          hint="Leave empty to use the profile name"
          value={typed}
          onChange={setTyped}
          fault={change.error?.faultOf('name') ?? change.error?.message}
          input={{ maxLength: 128, readOnly: refusal !== undefined, placeholder: given ?? '', dir: 'auto' }}
        />
        <div>
          <Button
            type="submit"
            size="sm"
            isBusy={change.isPending}
            refusal={refusal ?? (typed.trim() === known ? 'No changes to save' : undefined)}
          >
            Save name
          </Button>
        </div>
      </div>
    </Form>
  );
}
