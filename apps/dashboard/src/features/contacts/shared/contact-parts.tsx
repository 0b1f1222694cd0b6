import { Phone } from 'lucide-react';
import { Status } from '../../../components/display';
import { visibleName } from '../../../lib/visible-name';

interface Named {
  name: string | null;
  phone: string | null;
  userId: string | null;
  username: string | null;
}

/** The name on the platform, as people write it. */
const handleOf = ({ username }: Pick<Named, 'username'>): string | null =>
  visibleName(username) === null ? null : `@${username}`;

/** @returns what somebody is called: their name, else their user name or number */
export const nameOf = (person: Named): string =>
  visibleName(person.name) ??
  handleOf(person) ??
  person.phone ??
  `Number hidden (${person.userId?.slice(-4) ?? 'unknown'})`;

/** User name of a contact that is shown under another name. */
export const handleBesideName = (person: Named): string | null =>
  visibleName(person.name) === null ? null : handleOf(person);

/** @returns under what somebody is known beside their name: the number, or that they hide it */
export const numberOf = (person: Named): string =>
  [person.phone ?? 'Number hidden', handleBesideName(person)].filter(Boolean).join(' · ');

/** @returns what names somebody in addresses, lists and sends: the number, where they show it, else the user id */
export const keyOf = ({ phone, userId }: Pick<Named, 'phone' | 'userId'>): string => phone ?? userId ?? '';

/** A phone number or user id that keeps its end where there is no room: numbers of one country begin alike. */
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

/** Whether somebody is blocked at the platform; nothing for most people. */
export function BlockStatus({ contact: { blockedOn } }: { contact: { blockedOn: readonly string[] } }) {
  return blockedOn.length > 0 ? <Status tone="bad">Blocked</Status> : null;
}

/** What somebody does not want. */
export function OptOutStatus({ contact: { optedOut, marketingOptOut, blocked } }: { contact: OptOuts }) {
  if (blocked) return <Status tone="bad">Opted out of everything</Status>;
  if (optedOut) return <Status tone="warning">Opted out</Status>;
  return marketingOptOut ? (
    <Status tone="warning">Opted out at the platform</Status>
  ) : (
    <Status tone="success">Allowed</Status>
  );
}
