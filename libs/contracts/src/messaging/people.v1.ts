import { IsBoolean, IsOptional, IsString } from 'class-validator';
import { event, UPDATES_EVENT_BYTES } from '../message-contract';
import { IsObjectOrList } from '../validation';

/** Contact activity other than writing a message. */
class DoneByPersonV1 {
  @IsString() accountId: string;
  /** Business number concerned. */
  @IsString() to: string;
  /** Phone number, or upstream user id if the number is hidden. */
  @IsString() from: string;
  /** Upstream id of the contact, if it gave one. */
  @IsOptional() @IsString() userId?: string | null;
  @IsOptional() @IsString() name: string | null;
  /** Time of the action, ISO 8601 UTC. */
  @IsString() timestamp: string;
}

class ChangedByWriterV1 extends DoneByPersonV1 {
  /** Upstream id of the changed message. */
  @IsString() upstreamId: string;
  /** Internal id; null if that message is not stored. */
  @IsOptional() @IsString() id: string | null;
  /** Group that it was written to. */
  @IsOptional() @IsString() groupId?: string | null;
}

export class MessageEditedV1 extends ChangedByWriterV1 {
  /** Upstream id of the edit itself. */
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
  description: 'A customer deleted a message for everyone. Its text and file are removed from the record.',
  body: MessageDeletedV1,
  sample: ofMessage,
});

export class ContactChangedV1 extends DoneByPersonV1 {
  /** ID of the notice in the conversation. */
  @IsString() id: string;
  /** Contact of the conversation, as before the change. */
  @IsString() contactId: string;
  /** Null if the platform gave none. */
  @IsOptional() @IsString() previousPhone: string | null;
  @IsOptional() @IsString() phone: string | null;
  @IsOptional() @IsString() previousUserId: string | null;
  /** False if another contact already had the new number or id: the two conversations stay separate. */
  @IsBoolean() moved: boolean;
}

export const contactChangedV1 = event({
  name: 'messaging.contact.changed.v1',
  producer: 'messaging',
  consumers: ['webhooks'],
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
  description: 'A customer called a business number. The service window is open.',
  body: CallReceivedV1,
  sample: { ...person, id: 'msg_01jd0000000000000000000000', upstreamId: 'wacid.CALL' },
});
