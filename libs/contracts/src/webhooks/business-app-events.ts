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
  @Doc('`edited` and `deleted` are about a message that was sent before')
  @IsIn(ECHO_ACTIONS)
  action: EchoAction;
  @Doc("The upstream platform's identifier of the message") @IsString() messageId: string;
  @Doc('Your number') @IsString() from: string;
  @Doc("The customer's phone number; null where it is hidden") @OrNull() @IsString() to: string | null;
  @Doc('Of the message; its content stands under this name. Absent for what was deleted')
  @IsOptional()
  @IsIn([...INBOUND_TYPES, 'unsupported'])
  type?: string;
  @IsOptional() @Nested(() => MessageContext) context?: MessageContext;
  @Doc('When the person did it') @IsTime() timestamp: string;
  @Doc('Ours; null where the message is not on record') @OrNull() @IsString() id: string | null;
  @Doc("The upstream platform's id of the customer, where it gave one; never null when to is")
  @OrNull()
  @IsString()
  userId: string | null;
  @Doc('The same on every attempt: what was seen before can be left out', { example: EVENT })
  @IsString()
  eventId: string;
}
