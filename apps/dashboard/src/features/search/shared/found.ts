import type { Schemas } from '../../../api/client';
import { wordOf } from '../../../components/display';
import { counted, timeAndDay } from '../../../lib/formats';
import { visibleName } from '../../../lib/visible-name';
import { keyOf, nameOf, numberOf } from '../../contacts/shared/contact-parts';

export type SearchResults = Omit<Schemas['SearchResults'], 'success'>;
export type FoundKind = Exclude<keyof SearchResults, 'incomplete'>;

/** One result of a search, with the address of its page. */
export interface Found {
  key: string;
  text: string;
  detail: string;
  to: string;
}

export interface FoundGroup {
  kind: FoundKind;
  title: string;
  /** Null while the service of this kind is unavailable. */
  found: Found[] | null;
  /** Whether results beyond the limit exist, or only the newest items were searched. */
  isIncomplete: boolean;
}

const listed = (...parts: (string | null)[]): string => parts.filter(Boolean).join(' · ');

/** Returns the results by kind, in the order of the page. */
export function groupsOf({ incomplete, ...results }: SearchResults): FoundGroup[] {
  return listsOf(results).map((list) => ({ ...list, isIncomplete: incomplete.includes(list.kind) }));
}

function listsOf({
  contacts,
  messages,
  templates,
  jobs,
  keys,
}: Omit<SearchResults, 'incomplete'>): Omit<FoundGroup, 'isIncomplete'>[] {
  return [
    {
      kind: 'contacts',
      title: 'Contacts',
      found:
        contacts?.map((contact) => ({
          key: contact.id,
          text: nameOf(contact),
          detail: numberOf(contact),
          to: `/conversations/${encodeURIComponent(keyOf(contact))}`,
        })) ?? null,
    },
    {
      kind: 'messages',
      title: 'Messages by ID or reference',
      found:
        messages?.map(({ id, direction, contactName, contact, clientRef, timestamp }) => ({
          key: id,
          text: visibleName(contactName) ?? contact ?? 'Unknown contact',
          detail: listed(direction === 'inbound' ? 'Received' : 'Sent', timeAndDay(timestamp), clientRef),
          to: `/messages/${id}`,
        })) ?? null,
    },
    {
      kind: 'templates',
      title: 'Templates',
      found:
        templates?.map(({ id, name, language, status }) => ({
          key: id,
          text: name,
          detail: listed(language, wordOf(status)),
          to: `/templates/${id}`,
        })) ?? null,
    },
    {
      kind: 'jobs',
      title: 'Jobs',
      found:
        jobs?.map(({ jobId, name, template, status, total, createdAt }) => ({
          key: jobId,
          text: name ?? template ?? 'Job without a template',
          detail: listed(name ? template : null, counted(total, 'recipient'), wordOf(status), timeAndDay(createdAt)),
          to: `/jobs/${jobId}`,
        })) ?? null,
    },
    {
      kind: 'keys',
      title: 'API keys',
      found:
        keys?.map(({ id, name, prefix, lastFour, state }) => ({
          key: id,
          text: name,
          detail: listed(`${prefix}…${lastFour}`, wordOf(state)),
          to: `/keys/${id}`,
        })) ?? null,
    },
  ];
}
