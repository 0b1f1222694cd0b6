import { Phone } from 'lucide-react';
import type { Schemas } from '../../../api/client';
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

/** Phone number of a contact, or a note that the contact hides it. */
export function ContactPhone({ phone }: { phone: string | null }) {
  return phone === null ? <span>Number hidden</span> : <PhoneText phone={phone} />;
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

/**
 * Returns how a contact opted out, such as `Wrote STOP` or `By Meera`; undefined if it is unknown.
 *
 * @param nameOf returns the name of a user
 */
export function optOutCause(
  { source, word, userId }: Schemas['OptOutRecord'],
  nameOf: (userId: string) => string | undefined,
): string | undefined {
  switch (source) {
    case 'message':
      return word === null ? 'In a message' : `Wrote ${word}`;
    case 'user':
      return `By ${nameOf(userId ?? '') ?? 'a former colleague'}`;
    case 'operator':
      return 'By the operator';
    case 'platform':
      return 'In WhatsApp';
    default:
      return undefined;
  }
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
