import { ArrayMaxSize, IsArray, IsInt, IsObject, IsOptional, IsString, Max, MaxLength, Min, MinLength } from 'class-validator';
import { command } from '../message-contract';
import { templateSamples } from '../template-records';
import { IsStorableText } from '../validation';
import { DraftReply } from './create-draft.v1';

/** What is not given stays. */
export class UpdateDraftCommand {
  @IsString() accountId: string;
  @IsString() draftId: string;
  /** Name and language of a new template only. */
  @IsOptional() @IsString() @IsStorableText() @MinLength(1) @MaxLength(512) name?: string;
  @IsOptional() @IsString() @IsStorableText() @MinLength(1) @MaxLength(20) language?: string;
  @IsOptional() @IsString() @IsStorableText() @MinLength(1) @MaxLength(20) category?: string;
  @IsOptional() @IsArray() @ArrayMaxSize(20) @IsObject({ each: true }) components?: object[];
  /** 0 for the upstream's own. */
  @IsOptional() @IsInt() @Min(0) @Max(2_592_000) ttlSeconds?: number;
}

const { draft } = templateSamples;

export const updateDraftV1 = command({
  name: 'templates.update-draft.v1',
  owner: 'templates',
  description: 'Changes a draft, also one that was refused; not while it is being submitted, nor afterwards.',
  request: UpdateDraftCommand,
  response: DraftReply,
  changes: true,
  timeoutMs: 5_000,
  maxBytes: 262_144,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000', draftId: draft.id, components: draft.components }, response: { draft } },
});
