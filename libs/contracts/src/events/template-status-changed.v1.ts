import { IsBoolean, IsIn, IsOptional, IsString } from 'class-validator';
import { TEMPLATE_STATUSES, type TemplateStatus } from '../commands/list-templates.v1';
import { event } from '../message-contract';

export class TemplateStatusChangedV1 {
  @IsString() accountId: string;
  @IsString() templateId: string;
  @IsString() templateName: string;
  @IsString() language: string;
  @IsString() category: string;
  @IsIn(TEMPLATE_STATUSES) status: TemplateStatus;
  /** Null for a template that was not known before. */
  @IsOptional() @IsIn(TEMPLATE_STATUSES) previousStatus: TemplateStatus | null;
  /** The upstream's reason, for example of a rejection or a pause. */
  @IsOptional() @IsString() reason: string | null;
  /** FLAGGED may be a warning only: such a template can still be sent. Absent from earlier versions, which told of no such warning. */
  @IsOptional() @IsBoolean() sendable?: boolean;
  @IsString() timestamp: string;
}

export const templateStatusChangedV1 = event({
  name: 'templates.template-status.changed.v1',
  producer: 'templates',
  consumers: ['webhooks', 'jobs'],
  broadcastTo: ['messaging', 'otp'],
  description: 'A template moved to a new status, or was flagged as a warning; `sendable` says whether it can be sent.',
  body: TemplateStatusChangedV1,
  sample: {
    accountId: 'acc_01jd0000000000000000000000',
    templateId: '1387372356726668',
    templateName: 'order_update',
    language: 'en_US',
    category: 'UTILITY',
    status: 'REJECTED',
    previousStatus: 'PENDING',
    reason: 'INVALID_FORMAT',
    sendable: false as boolean | undefined,
    timestamp: '2026-03-02T10:15:04.120Z',
  },
});
