import { Equals, IsBoolean, IsIn, IsOptional, IsString } from 'class-validator';
import { BodySchema, Doc, IsTime, OrNull, pascalCase } from '../body-docs';
import { INBOUND_TYPES } from '../messaging/inbound-content';
import { EventEnvelope, GROUP_DOC, ShownContents, WITHOUT_CONTENT } from './customer-events';

const [MESSAGE, EVENT] = ['msg_01jd0000000000000000000000', 'evt_01jd0000000000000000000000'];

/** Contact activity other than writing a message. */
class PersonEvent extends EventEnvelope {
  @Doc('Phone number of the customer; null if the number is hidden') @OrNull() @IsString() from: string | null;
  @Doc('Profile name of the customer; empty if unknown') @IsString() name: string;
  @IsTime() timestamp: string;
  @Doc('Your business number') @IsString() to: string;
  @Doc('ID of the customer at the upstream platform, if known; never null when `from` is')
  @OrNull()
  @IsString()
  userId: string | null;
}

/** Edit by a contact of a message's text or caption (spec §11.3.19). */
@BodySchema({
  description: 'Message edited by a customer, with its new content in the field named by `type`',
  kinds: { by: 'type', nameOf: (type) => `${pascalCase(type)}MessageEditedEvent`, mayLack: WITHOUT_CONTENT },
  example: () => ({
    event: 'message_edited',
    messageId: 'wamid.HBg',
    from: '919812345678',
    name: 'Asha R',
    type: 'text',
    text: { body: 'Where is my order 7781?' },
    timestamp: '2026-03-02T10:20:00.000Z',
    to: '15550783881',
    id: MESSAGE,
    userId: null,
    eventId: EVENT,
  }),
})
export class MessageEditedEvent extends ShownContents {
  @Equals('message_edited') event: 'message_edited';
  @Doc('ID of the edited message at the upstream platform') @IsString() messageId: string;
  @Doc('Phone number of the customer; null if the number is hidden') @OrNull() @IsString() from: string | null;
  @Doc('Profile name of the customer; empty if unknown') @IsString() name: string;
  @Doc('Type of the message, and name of the field with its new content')
  @IsIn([...INBOUND_TYPES, 'unsupported'])
  type: string;
  @Doc('Time of the edit') @IsTime() timestamp: string;
  @Doc('Your business number') @IsString() to: string;
  @Doc('ID of the message in the service; null if the message is not stored') @OrNull() @IsString() id: string | null;
  @Doc(GROUP_DOC) @IsOptional() @IsString() groupId?: string;
  @Doc('ID of the customer at the upstream platform, if known; never null when `from` is')
  @OrNull()
  @IsString()
  userId: string | null;
  @Doc('ID of the event, the same on every delivery attempt; use it to discard duplicates', { example: EVENT })
  @IsString()
  eventId: string;
}

/** Deletion by a contact of a message for everyone (spec §11.3.21). */
@BodySchema({
  example: () => ({
    event: 'message_deleted',
    messageId: 'wamid.HBg',
    from: '919812345678',
    name: 'Asha R',
    timestamp: '2026-03-02T10:21:00.000Z',
    to: '15550783881',
    id: MESSAGE,
    userId: null,
    eventId: EVENT,
  }),
})
export class MessageDeletedEvent extends PersonEvent {
  @Equals('message_deleted') event: 'message_deleted';
  @Doc('ID of the deleted message at the upstream platform') @IsString() messageId: string;
  @Doc('ID of the message in the service; null if the message is not stored') @OrNull() @IsString() id: string | null;
  @Doc(GROUP_DOC) @IsOptional() @IsString() groupId?: string;
}

/** New phone number or user id of a contact (spec §11.3.22). */
@BodySchema({
  example: () => ({
    event: 'contact_changed',
    previousPhone: '919812345678',
    phone: '919812345679',
    previousUserId: 'IN.10000000000000000001',
    userId: 'IN.10000000000000000002',
    name: 'Asha R',
    timestamp: '2026-03-02T10:22:00.000Z',
    to: '15550783881',
    contactId: 'ct_01jd0000000000000000000000',
    moved: true,
    eventId: EVENT,
  }),
})
export class ContactChangedEvent extends EventEnvelope {
  @Equals('contact_changed') event: 'contact_changed';
  @OrNull() @IsString() previousPhone: string | null;
  @Doc('New phone number; equal to `previousPhone` if only the user id changed') @OrNull() @IsString() phone:
    | string
    | null;
  @OrNull() @IsString() previousUserId: string | null;
  @OrNull() @IsString() userId: string | null;
  @Doc('Profile name of the customer; defaults to the name that you gave the contact. Empty if neither is known')
  @IsString()
  name: string;
  @IsTime() timestamp: string;
  @Doc('Your business number') @IsString() to: string;
  @Doc('ID of the contact with the earlier conversation') @IsString() contactId: string;
  @Doc(
    'Whether the contact took over the new number or id. False if another contact already has the number or id; the two conversations then remain separate',
  )
  @IsBoolean()
  moved: boolean;
}

/** Call from a contact (spec §11.3.24). */
@BodySchema({
  example: () => ({
    event: 'call',
    callId: 'wacid.HBg',
    from: '919812345678',
    name: 'Asha R',
    timestamp: '2026-03-02T10:23:00.000Z',
    to: '15550783881',
    id: MESSAGE,
    userId: null,
    eventId: EVENT,
  }),
})
export class CallEvent extends PersonEvent {
  @Equals('call') event: 'call';
  @Doc('ID of the call at the upstream platform') @IsString() callId: string;
  @Doc('ID of the entry for the call in the conversation', { example: MESSAGE }) @IsString() id: string;
}
