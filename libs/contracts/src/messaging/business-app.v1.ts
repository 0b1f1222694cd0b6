import { IsIn, IsOptional, IsString } from 'class-validator';
import { Nested } from '../body-docs';
import { event, UPDATES_EVENT_BYTES } from '../message-contract';
import { IsObjectOrList } from '../validation';
import { ReferredMessage } from './messages.v1';

/** Actions on messages in a business's phone app (spec §11.9.1). */
export const ECHO_ACTIONS = ['sent', 'edited', 'deleted'] as const;
export type EchoAction = (typeof ECHO_ACTIONS)[number];

export class MessageEchoedV1 {
  @IsString() accountId: string;
  @IsIn(ECHO_ACTIONS) action: EchoAction;
  /**
   * Internal id of the message; null if the message is not stored, for example when an edit arrives before its message.
   */
  @IsOptional() @IsString() id: string | null;
  /** Upstream id of the message. */
  @IsString() upstreamId: string;
  /** Upstream id of the edit or deletion; null for a sent message. */
  @IsOptional() @IsString() changeId: string | null;
  @IsString() from: string;
  /** Phone number of the contact, or upstream user id if the number is hidden. */
  @IsString() to: string;
  /** Upstream user id of the contact, if the platform reported one. */
  @IsOptional() @IsString() userId: string | null;
  /** Type of the message; null for a deletion. */
  @IsOptional() @IsString() type: string | null;
  /** New content in upstream format; null for a deletion. */
  @IsOptional() @IsObjectOrList() content: object | null;
  @IsOptional() @Nested(() => ReferredMessage) context: ReferredMessage | null;
  /** Time of the action in ISO 8601 UTC. */
  @IsString() timestamp: string;
}

export const messageEchoedV1 = event({
  name: 'messaging.message.echoed.v1',
  producer: 'messaging',
  consumers: ['webhooks'],
  changes: ({ accountId, id }) => [{ accountId, kind: 'message', ...(id !== null && { ids: [id] }) }],
  maxBytes: UPDATES_EVENT_BYTES,
  description:
    "A message was sent, edited or deleted in the business's phone app. Superseded changes are not published.",
  body: MessageEchoedV1,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    action: 'sent',
    id: 'msg_01jd0000000000000000000000',
    upstreamId: 'wamid.ECHO',
    changeId: null,
    from: '15550783881',
    to: '919812345678',
    userId: null,
    type: 'text',
    content: { body: 'We are open until six.' },
    context: null,
    timestamp: '2026-03-02T10:17:00.000Z',
  },
});
