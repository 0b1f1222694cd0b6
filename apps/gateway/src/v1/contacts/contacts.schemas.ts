import { listContactsV1 } from '@switchboard/contracts';
import { paginationOf } from '../../lists/pagination';
import { flag, list, object, orNull, phone, ref, type Schema, success, text, time } from '../../openapi/schema';

const { response } = listContactsV1.sample;

export const contactSchemas = {
  ServiceWindow: object(
    {
      phoneNumber: phone,
      open: { ...flag, description: 'Whether free-form messages may be sent from this number now' },
      expiresAt: time,
    },
    {
      description:
        'Of one business number that the person wrote to. The window of a number that is not listed is closed.',
    },
  ),
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
    windowOpen: { ...flag, description: 'Whether the service window of at least one of your numbers is open' },
    windowExpiresAt: { ...orNull(time), description: 'When the last of the windows closes' },
    windows: list(ref('ServiceWindow')),
    createdAt: time,
  }),
  ContactList: object(
    { success, contacts: list(ref('Contact')), pagination: ref('Pagination') },
    {
      example: {
        success: true,
        contacts: response.contacts,
        pagination: paginationOf({ page: 1, limit: 20 }, response),
      },
    },
  ),
} satisfies Record<string, Schema>;
