import { useState } from 'react';
import { api, must, type Schemas } from '../../../api/client';
import { useRefusal } from '../../../api/session';
import { Button, Select } from '../../../components/controls';
import { useChange } from '../../../hooks/queries';
import { Refused } from '../../../components/display';
import { Cancel, Confirm, Dialog } from '../../../components/overlays';
import { keyOf } from './contact-parts';

type Contact = Schemas['ContactDetail'];

/** Blocks or unblocks a contact on WhatsApp, for each business number the contact has messaged. */
export function BlockButtons({ contact }: { contact: Contact }) {
  const role = useRefusal('admin');
  const [isBlocking, setBlocking] = useState(false);
  const { blockedOn, windows } = contact;
  const phone = keyOf(contact);
  const numbers = windows
    .filter(({ open, phoneNumber }) => open && !blockedOn.includes(phoneNumber))
    .map(({ phoneNumber }) => phoneNumber);
  const isAllBlocked = blockedOn.length > 0 && numbers.length === 0;
  return (
    <>
      {blockedOn.map((from) => (
        <UnblockButton key={from} phone={phone} from={from} isNamed={blockedOn.length > 1} />
      ))}
      {!isAllBlocked && (
        <Button
          size="sm"
          look="danger-quiet"
          refusal={
            role ?? (numbers.length > 0 ? undefined : 'You can block only contacts who wrote within the last 24 hours')
          }
          onClick={() => setBlocking(true)}
        >
          Block
        </Button>
      )}
      {isBlocking && numbers.length > 0 && (
        <BlockDialog phone={phone} numbers={numbers} onClose={() => setBlocking(false)} />
      )}
    </>
  );
}

function BlockDialog({ phone, numbers, onClose }: { phone: string; numbers: readonly string[]; onClose(): void }) {
  const [from, setFrom] = useState(numbers[0] ?? '');
  const block = useChange(() => must(api.POST('/console/v1/blocks/add', { body: { phone, from } })), {
    done: 'Contact blocked.',
    quiet: true,
  });
  return (
    <Dialog
      title={`Block ${phone}?`}
      about="The platform delivers no messages between this contact and your number, in either direction. The contact is not notified. You can unblock them at any time."
      onClose={onClose}
      onSubmit={() => block.mutate(undefined, { onSuccess: onClose })}
      foot={
        <>
          <span className="push" />
          <Cancel isBusy={block.isPending} onClose={onClose} />
          <Button type="submit" look="danger" isBusy={block.isPending}>
            Block
          </Button>
        </>
      }
    >
      <Refused error={block.error} fields={[]} />
      {numbers.length > 1 ? (
        <Select
          label="Business number"
          value={from}
          onChange={setFrom}
          options={numbers.map((number) => [number, number] as const)}
        />
      ) : (
        <p className="hint">Business number: {from}</p>
      )}
      <p className="hint">To keep receiving their messages, opt them out instead.</p>
    </Dialog>
  );
}

/** @param isNamed whether the label names the number, for one of several */
export function UnblockButton({ phone, from, isNamed = false }: { phone: string; from: string; isNamed?: boolean }) {
  const refusal = useRefusal('admin');
  const [isAsking, setAsking] = useState(false);
  const unblock = useChange(() => must(api.POST('/console/v1/blocks/remove', { body: { phone, from } })), {
    done: 'Contact unblocked.',
    quiet: true,
  });
  return (
    <>
      <Button
        size="sm"
        refusal={refusal}
        aria-label={isNamed ? undefined : `Unblock ${phone} for ${from}`}
        onClick={() => setAsking(true)}
      >
        {isNamed ? `Unblock for ${from}` : 'Unblock'}
      </Button>
      {isAsking && (
        <Confirm
          title={`Unblock ${phone}?`}
          about={`Messages to and from ${from} are delivered again.`}
          action="Unblock"
          isBusy={unblock.isPending}
          error={unblock.error}
          onConfirm={() => unblock.mutate(undefined, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
