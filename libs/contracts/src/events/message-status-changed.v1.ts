import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsOptional, IsString, ValidateNested } from 'class-validator';
import { event } from '../message-contract';
import { MessageError, REPORTED_STATUSES, type ReportedStatus } from '../message-types';

export class MessageStatusChangedV1 {
  @IsString() accountId: string;
  @IsString() id: string;
  /** The upstream's identifier; our own (`id`) where it never gave one, as for a send that was given up. */
  @IsString() upstreamId: string;
  @IsString() to: string;
  @IsIn(REPORTED_STATUSES) status: ReportedStatus;
  @IsOptional() @ValidateNested() @Type(() => MessageError) error: MessageError | null;
  @IsOptional() @IsString() clientRef: string | null;
  /** The bulk job that sent the message. */
  @IsOptional() @IsString() jobId?: string | null;
  /** True for a status that a later one had overtaken; absent otherwise. */
  @IsOptional() @IsBoolean() late?: boolean;
  /** When the upstream platform saw the change, ISO 8601 UTC. */
  @IsString() timestamp: string;
}

export const messageStatusChangedV1 = event({
  name: 'messaging.message-status.changed.v1',
  producer: 'messaging',
  consumers: ['webhooks'],
  description: 'A message has a new status, or had one that a later one overtook (`late`); published once per message and status.',
  body: MessageStatusChangedV1,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    id: 'msg_01jd0000000000000000000000',
    upstreamId: 'wamid.OUT',
    to: '919812345678',
    status: 'failed',
    error: { reason: 'WINDOW_CLOSED', code: 131047, title: 'Re-engagement message', message: 'the 24-hour window is closed', category: 'window', retriable: false },
    clientRef: 'order-7781',
    jobId: null,
    timestamp: '2026-03-02T10:15:04.120Z',
  },
});
