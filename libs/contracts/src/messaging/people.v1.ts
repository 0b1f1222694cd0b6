import { IsBoolean, IsOptional, IsString } from 'class-validator';
import { event, UPDATES_EVENT_BYTES } from '../message-contract';
import { IsObjectOrList } from '../validation';

/** Something that a customer did beside writing a message. */
class DoneByPersonV1 {
  @IsString() accountId: string;
  /** The business number that it concerns. */
  @IsString() to: string;
  /** The phone number, or the upstream's user id where the number is hidden. */
  @IsString() from: string;
  /** The upstream's id of the person, where it gave one. */
  @IsOptional() @IsString() userId?: string | null;
  @IsOptional() @IsString() name: string | null;
  /** When the person did it, ISO 8601 UTC. */
  @IsString() timestamp: string;
}

class ChangedByWriterV1 extends DoneByPersonV1 {
  /** The upstream's id of the message that was changed. */
  @IsString() upstreamId: string;
  /** Ours; null where that message is not on record. */
  @IsOptional() @IsString() id: string | null;
  /** The group that it was written to. */
  @IsOptional() @IsString() groupId?: string | null;
}

export class MessageEditedV1 extends ChangedByWriterV1 {
  /** The upstream's id of the edit itself. */
  @IsString() editId: string;
  @IsString() type: string;
  /** As it is from now on, in the upstream's words. */
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
  description: 'A customer changed a message; an edit that a later one or a deletion has overtaken is not published.',
  body: MessageEditedV1,
  sample: { ...ofMessage, editId: 'wamid.EDIT', type: 'text', content: { body: 'Hello again' } },
});

export class MessageDeletedV1 extends ChangedByWriterV1 {}

export const messageDeletedV1 = event({
  name: 'messaging.message.deleted.v1',
  producer: 'messaging',
  consumers: ['webhooks'],
  description: 'A customer deleted a message for everybody; its text and its file are gone from the record.',
  body: MessageDeletedV1,
  sample: ofMessage,
});

export class ContactChangedV1 extends DoneByPersonV1 {
  /** Of the notice in the conversation. */
  @IsString() id: string;
  /** Who has the conversation: the contact of before. */
  @IsString() contactId: string;
  /** Null where the platform named none. */
  @IsOptional() @IsString() previousPhone: string | null;
  @IsOptional() @IsString() phone: string | null;
  @IsOptional() @IsString() previousUserId: string | null;
  /** False where somebody else had the new number or id already: the conversations stay two. */
  @IsBoolean() moved: boolean;
}

export const contactChangedV1 = event({
  name: 'messaging.contact.changed.v1',
  producer: 'messaging',
  consumers: ['webhooks'],
  description: "A customer has a new phone number or a new user id of the upstream platform's.",
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
  /** The upstream's id of the call. */
  @IsString() upstreamId: string;
}

export const callReceivedV1 = event({
  name: 'messaging.call.received.v1',
  producer: 'messaging',
  consumers: ['webhooks'],
  description: 'A customer called a business number; the service window is open.',
  body: CallReceivedV1,
  sample: { ...person, id: 'msg_01jd0000000000000000000000', upstreamId: 'wacid.CALL' },
});
