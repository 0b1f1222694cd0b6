import { Phone } from 'lucide-react';
import { Status } from '../../../components/display';
import { visibleName } from '../../../lib/visible-name';

interface Named {
  name: string | null;
  phone: string | null;
  userId: string | null;
  username: string | null;
}

/** WhatsApp username with its `@`. */
const handleOf = ({ username }: Pick<Named, 'username'>): string | null =>
  visibleName(username) === null ? null : `@${username}`;

/** Returns the display name: name, username or number. */
export const nameOf = (person: Named): string =>
  visibleName(person.name) ??
  handleOf(person) ??
  person.phone ??
  `Number hidden (${person.userId?.slice(-4) ?? 'unknown'})`;

/** Returns the username of a contact that is shown under another name. */
export const handleBesideName = (person: Named): string | null =>
  visibleName(person.name) === null ? null : handleOf(person);

/** Returns the line below the name: the phone number, or a note that it is hidden, and the username. */
export const numberOf = (person: Named): string =>
  [person.phone ?? 'Number hidden', handleBesideName(person)].filter(Boolean).join(' · ');

/** Returns the key for URLs, lists and sends: the number if visible, otherwise the user ID. */
export const keyOf = ({ phone, userId }: Pick<Named, 'phone' | 'userId'>): string => phone ?? userId ?? '';

/** Phone number or user ID that is truncated at the start, because numbers of one country share a prefix. */
export function PhoneText({ phone }: { phone: string }) {
  return (
    <span className="cut end tn" title={phone}>
      <bdi dir="ltr">{phone}</bdi>
    </span>
  );
}

export function Avatar({ contact: { name } }: { contact: Named }) {
  const words = (visibleName(name) ?? '').trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : '']
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('');
  return (
    <span className="avatar lg" aria-hidden>
      {letters.toUpperCase() || <Phone className="i i-14" />}
    </span>
  );
}

interface OptOuts {
  optedOut: boolean;
  marketingOptOut: boolean;
  blocked?: boolean;
}

/** Block status on WhatsApp; empty for most contacts. */
export function BlockStatus({ contact: { blockedOn } }: { contact: { blockedOn: readonly string[] } }) {
  return blockedOn.length > 0 ? <Status tone="bad">Blocked</Status> : null;
}

export function OptOutStatus({ contact: { optedOut, marketingOptOut, blocked } }: { contact: OptOuts }) {
  if (blocked) return <Status tone="bad">Opted out of all messages</Status>;
  if (optedOut) return <Status tone="warning">Opted out</Status>;
  return marketingOptOut ? (
    <Status tone="warning">Opted out on the platform</Status>
  ) : (
    <Status tone="success">Allowed</Status>
  );
}
