import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsInt, IsObject, IsOptional, IsString, Max, MaxLength, Min, MinLength, ValidateNested } from 'class-validator';
import { command } from '../message-contract';
import { TemplateDraftRecord, templateSamples } from '../template-records';
import { IsStorableText } from '../validation';

export class CreateDraftCommand {
  @IsString() accountId: string;
  /** The business account upstream that shall have the template; may be absent where there is only one. */
  @IsOptional() @IsString() @IsStorableText() @MaxLength(64) wabaId?: string;
  @IsString() @IsStorableText() @MinLength(1) @MaxLength(512) name: string;
  /** `en-US` and `en_US` are the same language. */
  @IsString() @IsStorableText() @MinLength(1) @MaxLength(20) language: string;
  /** In either case. */
  @IsString() @IsStorableText() @MinLength(1) @MaxLength(20) category: string;
  @IsArray() @ArrayMaxSize(20) @IsObject({ each: true }) components: object[];
  /** 0 for the upstream's own. */
  @IsOptional() @IsInt() @Min(0) @Max(2_592_000) ttlSeconds?: number;
}

export class DraftReply {
  @ValidateNested() @Type(() => TemplateDraftRecord) draft: TemplateDraftRecord;
}

const { draft } = templateSamples;

export const createDraftV1 = command({
  name: 'templates.create-draft.v1',
  owner: 'templates',
  description: 'Begins a new template. It may be unfinished: the answer says what the upstream platform would refuse.',
  request: CreateDraftCommand,
  response: DraftReply,
  changes: true,
  timeoutMs: 5_000,
  maxBytes: 262_144,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', name: draft.name, language: draft.language, category: draft.category, components: draft.components },
    response: { draft },
  },
});
