import { IsBoolean, IsOptional, IsString } from 'class-validator';
import { event, UPDATES_EVENT_BYTES } from '../message-contract';
import { IsObjectOrList } from '../validation';

/** Contact activity other than writing a message. */
class DoneByPersonV1 {
  @IsString() accountId: string;
  /** Business number that the contact interacted with. */
  @IsString() to: string;
  /** Phone number of the contact, or upstream user id if the number is hidden. */
  @IsString() from: string;
  /** Upstream user id of the contact, if the platform reported one. */
  @IsOptional() @IsString() userId?: string | null;
  @IsOptional() @IsString() name: string | null;
  /** Time of the action in ISO 8601 UTC. */
  @IsString() timestamp: string;
}

class ChangedByWriterV1 extends DoneByPersonV1 {
  /** Upstream id of the changed message. */
  @IsString() upstreamId: string;
  /** Internal id; null if the message is not stored. */
  @IsOptional() @IsString() id: string | null;
  /** Upstream id of the group to which the message was written. */
  @IsOptional() @IsString() groupId?: string | null;
}

export class MessageEditedV1 extends ChangedByWriterV1 {
  /** Upstream id of the edit. */
  @IsString() editId: string;
  @IsString() type: string;
  /** New content, in upstream format. */
  @IsOptional() @IsObjectOrList() content: object | null;
}

const person = {
  accountId: 'acc_01jd0000000000000000000000',
  to: '15550783881',
  from: '919812345678',
  userId: 'IN.10000000000000000001',
  name: 'Asha R',
  timestamp: '2026-03-02T10:20:00.000Z',
};
const ofMessage: ChangedByWriterV1 = { ...person, upstreamId: 'wamid.IN', id: 'msg_01jd0000000000000000000000' };

export const messageEditedV1 = event({
  name: 'messaging.message.edited.v1',
  producer: 'messaging',
  consumers: ['webhooks'],
  changes: ({ accountId, id }) => [{ accountId, kind: 'message', ...(id !== null && { ids: [id] }) }],
  maxBytes: UPDATES_EVENT_BYTES,
  description: 'A customer edited a message. Edits superseded by a later edit or a deletion are not published.',
  body: MessageEditedV1,
  sample: { ...ofMessage, editId: 'wamid.EDIT', type: 'text', content: { body: 'Hello again' } },
});

export class MessageDeletedV1 extends ChangedByWriterV1 {}

export const messageDeletedV1 = event({
  name: 'messaging.message.deleted.v1',
  producer: 'messaging',
  consumers: ['webhooks'],
  changes: ({ accountId, id }) => [{ accountId, kind: 'message', ...(id !== null && { ids: [id] }) }],
  description: 'A customer deleted a message for everyone. Its text and file are removed from the record.',
  body: MessageDeletedV1,
  sample: ofMessage,
});

export class ContactChangedV1 extends DoneByPersonV1 {
  /** ID of the conversation entry for the change. */
  @IsString() id: string;
  /** ID of the contact with the earlier conversation. */
  @IsString() contactId: string;
  /** Previous phone number; null if the platform reported none. */
  @IsOptional() @IsString() previousPhone: string | null;
  @IsOptional() @IsString() phone: string | null;
  @IsOptional() @IsString() previousUserId: string | null;
  /** False if another contact already had the new number or user id. The two conversations then stay separate. */
  @IsBoolean() moved: boolean;
}

export const contactChangedV1 = event({
  name: 'messaging.contact.changed.v1',
  producer: 'messaging',
  consumers: ['webhooks'],
  changes: ({ accountId, id }) => [{ accountId, kind: 'message', ids: [id] }],
  description: "A customer's phone number or user id at the upstream platform changed.",
  body: ContactChangedV1,
  sample: {
    ...person,
    id: 'msg_01jd0000000000000000000000',
    contactId: 'ct_01jd0000000000000000000000',
    previousPhone: '919812345678',
    phone: '919812345679',
    previousUserId: 'IN.10000000000000000001',
    userId: 'IN.10000000000000000002',
    moved: true,
  },
});

export class CallReceivedV1 extends DoneByPersonV1 {
  @IsString() id: string;
  /** Upstream id of the call. */
  @IsString() upstreamId: string;
}

export const callReceivedV1 = event({
  name: 'messaging.call.received.v1',
  producer: 'messaging',
  consumers: ['webhooks'],
  changes: ({ accountId, id }) => [{ accountId, kind: 'message', ids: [id] }],
  description: 'A customer called a business number. The service window is open.',
  body: CallReceivedV1,
  sample: { ...person, id: 'msg_01jd0000000000000000000000', upstreamId: 'wacid.CALL' },
});
