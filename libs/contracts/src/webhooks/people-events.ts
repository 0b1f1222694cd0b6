import { Equals, IsBoolean, IsIn, IsOptional, IsString } from 'class-validator';
import { BodySchema, Doc, IsTime, OrNull, pascalCase } from '../body-docs';
import { INBOUND_TYPES } from '../messaging/inbound-content';
import { EventEnvelope, GROUP_DOC, ShownContents, WITHOUT_CONTENT } from './customer-events';

const [MESSAGE, EVENT] = ['msg_01jd0000000000000000000000', 'evt_01jd0000000000000000000000'];

/** Contact activity other than writing. */
class PersonEvent extends EventEnvelope {
  @Doc("The person's phone number; null where it is hidden") @OrNull() @IsString() from: string | null;
  @Doc("The person's profile name, empty when unknown") @IsString() name: string;
  @IsTime() timestamp: string;
  @Doc('Your number') @IsString() to: string;
  @Doc("The upstream platform's id of the person, where it gave one; never null when from is")
  @OrNull()
  @IsString()
  userId: string | null;
}

/** Edit of the text or caption of a message by a contact (spec §11.3.19). */
@BodySchema({
  description:
    'A message as its customer changed it. `type` names the kind, and the content stands under the name of the type',
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
  @Doc('The message that was changed') @IsString() messageId: string;
  @Doc("The person's phone number; null where it is hidden") @OrNull() @IsString() from: string | null;
  @Doc("The person's profile name, empty when unknown") @IsString() name: string;
  @Doc('Of the message; its content from now on stands under this name')
  @IsIn([...INBOUND_TYPES, 'unsupported'])
  type: string;
  @Doc('When the customer changed it') @IsTime() timestamp: string;
  @Doc('Your number') @IsString() to: string;
  @Doc('Ours; null where the message is not on record') @OrNull() @IsString() id: string | null;
  @Doc(GROUP_DOC) @IsOptional() @IsString() groupId?: string;
  @Doc("The upstream platform's id of the person, where it gave one; never null when from is")
  @OrNull()
  @IsString()
  userId: string | null;
  @Doc('The same on every attempt: what was seen before can be left out', { example: EVENT })
  @IsString()
  eventId: string;
}

/** Deletion of a message for everyone by a contact (spec §11.3.21). */
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
  @Doc('The message that was deleted') @IsString() messageId: string;
  @Doc('Ours; null where the message is not on record') @OrNull() @IsString() id: string | null;
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
  @Doc('From now on; equal to previousPhone where only the user id is another one') @OrNull() @IsString() phone:
    | string
    | null;
  @OrNull() @IsString() previousUserId: string | null;
  @OrNull() @IsString() userId: string | null;
  @Doc("The person's profile name, or else your own name for the contact; empty where neither is known")
  @IsString()
  name: string;
  @IsTime() timestamp: string;
  @Doc('Your number') @IsString() to: string;
  @Doc('Who has the conversation of before') @IsString() contactId: string;
  @Doc('False where another contact has the new number or id already: the conversations stay two')
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
  @Doc("The upstream platform's identifier of the call") @IsString() callId: string;
  @Doc('Ours: names the line of the conversation', { example: MESSAGE }) @IsString() id: string;
}
