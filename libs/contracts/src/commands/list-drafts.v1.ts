import { Type } from 'class-transformer';
import { IsArray, IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min, ValidateNested } from 'class-validator';
import { command } from '../message-contract';
import { TEMPLATE_DRAFT_STATES, TemplateDraftRecord, type TemplateDraftState, templateSamples } from '../template-records';
import { IsStorableText } from '../validation';

export class ListDraftsCommand {
  @IsString() accountId: string;
  @IsInt() @Min(1) @Max(500) limit: number;
  /** Continues after the last draft of an earlier page. */
  @IsOptional() @IsString() @IsStorableText() @MaxLength(512) cursor?: string;
  @IsOptional() @IsIn(TEMPLATE_DRAFT_STATES) state?: TemplateDraftState;
}

export class ListDraftsReply {
  @IsArray() @ValidateNested({ each: true }) @Type(() => TemplateDraftRecord) drafts: TemplateDraftRecord[];
  /** Null on the last page. */
  @IsOptional() @IsString() nextCursor: string | null;
}

export const listDraftsV1 = command({
  name: 'templates.list-drafts.v1',
  owner: 'templates',
  description: "One page of an account's drafts of templates, the newest first.",
  request: ListDraftsCommand,
  response: ListDraftsReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', limit: 20, state: 'draft' },
    response: { drafts: [templateSamples.draft], nextCursor: null },
  },
});
