import { Type } from 'class-transformer';
import { IsOptional, IsString, ValidateNested } from 'class-validator';
import { command } from '../message-contract';
import { TemplateRecord, templateSample } from './list-templates.v1';

export class GetTemplateCommand {
  @IsString() accountId: string;
  @IsString() name: string;
  /** `en-US` and `en_US` are the same language. */
  @IsString() language: string;
  /** Only of this business account upstream, which is the one of the number that sends; of any when absent. */
  @IsOptional() @IsString() wabaId?: string;
}

export class GetTemplateReply {
  /** Null when the account has no template of this name and language; of any status otherwise. */
  @IsOptional() @ValidateNested() @Type(() => TemplateRecord) template: TemplateRecord | null;
}

export const getTemplateV1 = command({
  name: 'templates.get-template.v1',
  owner: 'templates',
  askers: ['messaging', 'otp'],
  description: 'One template of any status, by name and language.',
  request: GetTemplateCommand,
  response: GetTemplateReply,
  changes: false,
  timeoutMs: 3_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', name: 'order_update', language: 'en_US' },
    response: { template: templateSample },
  },
});
