import { IsBoolean, IsIn, IsInt, IsOptional, IsString, MaxLength } from 'class-validator';
import { ListOf, Nested } from '../body-docs';
import { command } from '../message-contract';
import { IsStorableText } from '../validation';
import { MessageLabels } from './messages.v1';

export class ShowMessageCommand {
  /** Internal or upstream id of a message. */
  @IsString() @IsStorableText() @MaxLength(255) id: string;
}

/** Template of a message, without values. */
export class FollowedTemplate {
  @IsString() name: string;
  @IsOptional() @IsString() language: string | null;
}

/** Failure reason without the upstream text, which may quote message content. */
export class FollowedFailure {
  @IsOptional() @IsString() reason: string | null;
  @IsInt() code: number;
  @IsString() category: string;
  @IsBoolean() retriable: boolean;
}

/** Time at which a message reached a status. */
export class FollowedStatus {
  @IsString() status: string;
  /** Time in ISO 8601 UTC. */
  @IsString() at: string;
  /**
   * Milliseconds since the message was created; may be negative, because upstream times have a resolution of one
   * second.
   */
  @IsInt() afterMs: number;
}

/** Message without content, with masked phone numbers. */
export class FollowedMessage extends MessageLabels {
  @IsString() id: string;
  @IsString() accountId: string;
  @IsOptional() @IsString() upstreamId: string | null;
  @IsIn(['inbound', 'outbound']) direction: 'inbound' | 'outbound';
  /** Origin of the message: `api`, `business_app` or `history`. */
  @IsString() origin: string;
  @IsString() numberId: string;
  @IsString() from: string;
  @IsString() to: string;
  @IsString() type: string;
  @IsOptional() @Nested(() => FollowedTemplate) template: FollowedTemplate | null;
  @IsString() state: string;
  @IsOptional() @Nested(() => FollowedFailure) error: FollowedFailure | null;
  @IsOptional() @IsString() heldReason: string | null;
  @IsOptional() @IsString() jobId: string | null;
  /** Number of send attempts at the upstream platform. */
  @IsInt() sendAttempts: number;
  /** Trace id of the send; null if no collector received the trace. */
  @IsOptional() @IsString() traceId: string | null;
  /** Creation time in ISO 8601 UTC. */
  @IsString() createdAt: string;
  /** Statuses in chronological order. */
  @ListOf(() => FollowedStatus) statuses: FollowedStatus[];
}

export class ShowMessageReply {
  /** At most ten messages. Several numbers of an installation may have a message with the same upstream id. */
  @ListOf(() => FollowedMessage) messages: FollowedMessage[];
}

/** The only command that reads messages without an account, because operators look up messages by id alone. */
export const showMessageV1 = command({
  name: 'messaging.show-message.v1',
  owner: 'messaging',
  description: 'Returns a message of any account by its id or upstream id, without its content, for operators.',
  request: ShowMessageCommand,
  response: ShowMessageReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { id: 'msg_01jd0000000000000000000000' },
    response: {
      messages: [
        {
          id: 'msg_01jd0000000000000000000000',
          accountId: 'acc_01jd0000000000000000000000',
          upstreamId: 'wamid.OUT',
          direction: 'outbound',
          origin: 'api',
          numberId: 'num_01jd0000000000000000000000',
          from: '…3881',
          to: '…5678',
          type: 'template',
          template: { name: 'order_update', language: 'en' },
          state: 'delivered',
          error: null,
          heldReason: null,
          jobId: null,
          clientRef: 'order-7781',
          sendAttempts: 1,
          traceId: null,
          createdAt: '2026-03-02T10:15:00.000Z',
          statuses: [
            { status: 'accepted', at: '2026-03-02T10:15:00.180Z', afterMs: 180 },
            { status: 'delivered', at: '2026-03-02T10:15:02.000Z', afterMs: 2_000 },
          ],
        },
      ],
    },
  },
});
