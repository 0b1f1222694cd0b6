import { Type } from 'class-transformer';
import { IsArray, IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min, ValidateNested } from 'class-validator';
import { command } from '../message-contract';
import { ManagedTemplateRecord, templateSamples } from '../template-records';
import { IsStorableText } from '../validation';
import { TEMPLATE_STATUSES, type TemplateStatus } from './list-templates.v1';

export class SearchTemplatesCommand {
  @IsString() accountId: string;
  @IsInt() @Min(1) @Max(500) limit: number;
  /** Continues after the last template of an earlier page. */
  @IsOptional() @IsString() @IsStorableText() @MaxLength(1_024) cursor?: string;
  @IsOptional() @IsIn(TEMPLATE_STATUSES) status?: TemplateStatus;
  /** How the name begins. */
  @IsOptional() @IsString() @IsStorableText() @MaxLength(512) name?: string;
  @IsOptional() @IsString() @IsStorableText() @MaxLength(20) language?: string;
  @IsOptional() @IsString() @IsStorableText() @MaxLength(20) category?: string;
}

export class SearchTemplatesReply {
  @IsArray() @ValidateNested({ each: true }) @Type(() => ManagedTemplateRecord) templates: ManagedTemplateRecord[];
  /** Null on the last page. */
  @IsOptional() @IsString() nextCursor: string | null;
}

export const searchTemplatesV1 = command({
  name: 'templates.search-templates.v1',
  owner: 'templates',
  description: "One page of an account's templates of every status, by name and language, as their account manages them.",
  request: SearchTemplatesCommand,
  response: SearchTemplatesReply,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: 16_384,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', limit: 20, status: 'REJECTED' },
    response: { templates: [templateSamples.template], nextCursor: null },
  },
});
