import { listContactsV1 } from '@switchboard/contracts';
import { paginationOf } from '../lists/pagination';
import { flag, list, object, orNull, phone, ref, type Schema, success, text, time } from '../reference/schema';

const { response } = listContactsV1.sample;

export const contactSchemas = {
  Contact: object({
    id: text(),
    phone: { ...orNull(phone), description: 'Null for somebody whom the upstream platform names by a user id only' },
    userId: orNull(text("The upstream platform's own id of the person")),
    name: orNull(text('What you call them, or else their profile name')),
    profileName: orNull(text()),
    optedOut: flag,
    marketingOptOut: flag,
    lastMessageAt: orNull(time),
    lastInboundAt: orNull(time),
    windowOpen: flag,
    windowExpiresAt: orNull(time),
    createdAt: time,
  }),
  ContactList: object(
    { success, contacts: list(ref('Contact')), pagination: ref('Pagination') },
    { example: { success: true, contacts: response.contacts, pagination: paginationOf({ page: 1, limit: 20 }, response) } },
  ),
} satisfies Record<string, Schema>;
