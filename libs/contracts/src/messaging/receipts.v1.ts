import { IsBoolean, IsOptional, IsString } from 'class-validator';
import { Answer, Doc, IsTime } from '../body-docs';
import { command } from '../message-contract';

export class MarkReadCommand {
  @IsString() accountId: string;
  /** Internal or upstream id of an inbound message. */
  @IsString() id: string;
  /** True to show the contact a typing indicator; defaults to false. */
  @IsOptional() @IsBoolean() typing?: boolean;
}

export class MarkReadReply {
  @IsString() id: string;
  @IsString() upstreamId: string;
  /** Time at which the account first marked the message as read, in ISO 8601 UTC. */
  @IsString() readAt: string;
}

/**
 * Errors: NOT_FOUND (unknown, or of another account), INVALID_PARAMETER (an outbound message), NUMBER_STOPPED, and
 * upstream errors.
 */
export const markReadV1 = command({
  name: 'messaging.mark-read.v1',
  owner: 'messaging',
  description:
    'Marks a message as read for the customer through the upstream platform, or shows a typing indicator, which also marks it as read. Older messages of the conversation count as read as well.',
  request: MarkReadCommand,
  response: MarkReadReply,
  changes: true,
  timeoutMs: 15_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', id: 'msg_01jd0000000000000000000000', typing: false },
    response: {
      id: 'msg_01jd0000000000000000000000',
      upstreamId: 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAEhgUQUJD',
      readAt: '2026-03-02T10:16:05.000Z',
    },
  },
});

const { id, upstreamId, readAt } = markReadV1.sample.response;

/** Response to a read receipt or a typing indicator (spec §3.11). */
@Answer({ example: () => ({ success: true, id, message_id: upstreamId, readAt }) })
export class ReceiptAnswer {
  @Doc('ID of the message in the service') @IsString() id: string;
  @Doc('ID of the message at the upstream platform') @IsString() message_id: string;
  @Doc('Time at which you first marked the message as read') @IsTime() readAt: string;
}
