import { Equals, IsIn, IsOptional, IsString } from 'class-validator';
import { BodySchema, Doc, IsTime, Nested, OrNull } from '../body-docs';
import { ECHO_ACTIONS, type EchoAction } from '../messaging/business-app.v1';
import { INBOUND_TYPES } from '../messaging/inbound-content';
import { MessageContext, ShownContents } from './customer-events';

const [MESSAGE, EVENT] = ['msg_01jd0000000000000000000000', 'evt_01jd0000000000000000000000'];

/** Message sent, edited or deleted in the phone app of the business (spec §11.9.1). */
@BodySchema({
  example: () => ({
    event: 'message_echo',
    action: 'sent',
    messageId: 'wamid.HBg',
    from: '15550783881',
    to: '919812345678',
    type: 'text',
    text: { body: 'We are open until six.' },
    timestamp: '2026-03-02T10:17:00.000Z',
    id: MESSAGE,
    userId: null,
    eventId: EVENT,
  }),
})
export class MessageEchoEvent extends ShownContents {
  @Equals('message_echo') event: 'message_echo';
  @Doc('Action in the phone app; `edited` and `deleted` refer to a message sent earlier')
  @IsIn(ECHO_ACTIONS)
  action: EchoAction;
  @Doc('ID of the message at the upstream platform') @IsString() messageId: string;
  @Doc('Your business number') @IsString() from: string;
  @Doc('Phone number of the customer; null if the number is hidden') @OrNull() @IsString() to: string | null;
  @Doc('Type of the message, and name of the field with its content. Absent for a deleted message')
  @IsOptional()
  @IsIn([...INBOUND_TYPES, 'unsupported'])
  type?: string;
  @IsOptional() @Nested(() => MessageContext) context?: MessageContext;
  @Doc('Time of the action in the phone app') @IsTime() timestamp: string;
  @Doc('ID of the message in the service; null if the message is not stored') @OrNull() @IsString() id: string | null;
  @Doc('ID of the customer at the upstream platform, if known; never null when `to` is')
  @OrNull()
  @IsString()
  userId: string | null;
  @Doc('ID of the event, the same on every delivery attempt; use it to discard duplicates', { example: EVENT })
  @IsString()
  eventId: string;
}
