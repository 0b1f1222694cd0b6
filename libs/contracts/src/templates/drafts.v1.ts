import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { Answer, ListOf, Nested, OrNull } from '../body-docs';
import { command } from '../message-contract';
import { IsStorableText } from '../validation';
import {
  TEMPLATE_DRAFT_STATES,
  TemplateDraftRecord,
  type TemplateDraftState,
  templateSamples,
} from './template-records';

const { draft } = templateSamples;

export class CreateDraftCommand {
  @IsString() accountId: string;
  /** Business account that gets the template; optional if the account has only one. */
  @IsOptional() @IsString() @IsStorableText() @MaxLength(64) wabaId?: string;
  @IsString() @IsStorableText() @MinLength(1) @MaxLength(512) name: string;
  /** Locale code; `en-US` and `en_US` are equivalent. */
  @IsString() @IsStorableText() @MinLength(1) @MaxLength(20) language: string;
  /** Category, case-insensitive. */
  @IsString() @IsStorableText() @MinLength(1) @MaxLength(20) category: string;
  @IsArray() @ArrayMaxSize(20) @IsObject({ each: true }) components: object[];
  /** Time to live of messages in seconds; 0 for the upstream default. */
  @IsOptional() @IsInt() @Min(0) @Max(2_592_000) ttlSeconds?: number;
}

@Answer({ name: 'TemplateDraftAnswer' })
export class DraftReply {
  @Nested(() => TemplateDraftRecord) draft: TemplateDraftRecord;
}

export const createDraftV1 = command({
  name: 'templates.create-draft.v1',
  owner: 'templates',
  description:
    'Creates a draft of a new template. It may be incomplete: the response lists what the upstream platform would reject.',
  request: CreateDraftCommand,
  response: DraftReply,
  changes: true,
  timeoutMs: 5_000,
  maxBytes: 262_144,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      name: draft.name,
      language: draft.language,
      category: draft.category,
      components: draft.components,
    },
    response: { draft },
  },
});

/** Absent fields stay unchanged. */
export class UpdateDraftCommand {
  @IsString() accountId: string;
  @IsString() draftId: string;
  /** New name. Name and language can be changed only for a new template. */
  @IsOptional() @IsString() @IsStorableText() @MinLength(1) @MaxLength(512) name?: string;
  @IsOptional() @IsString() @IsStorableText() @MinLength(1) @MaxLength(20) language?: string;
  @IsOptional() @IsString() @IsStorableText() @MinLength(1) @MaxLength(20) category?: string;
  @IsOptional() @IsArray() @ArrayMaxSize(20) @IsObject({ each: true }) components?: object[];
  /** Time to live of messages in seconds; 0 for the upstream default. */
  @IsOptional() @IsInt() @Min(0) @Max(2_592_000) ttlSeconds?: number;
}

export const updateDraftV1 = command({
  name: 'templates.update-draft.v1',
  owner: 'templates',
  description: 'Updates a draft, including a refused one, but not during or after its submission.',
  request: UpdateDraftCommand,
  response: DraftReply,
  changes: true,
  timeoutMs: 5_000,
  maxBytes: 262_144,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', draftId: draft.id, components: draft.components },
    response: { draft },
  },
});

export class GetDraftCommand {
  @IsString() accountId: string;
  @IsString() draftId: string;
}

export const getDraftV1 = command({
  name: 'templates.get-draft.v1',
  owner: 'templates',
  description: 'Returns a template draft.',
  request: GetDraftCommand,
  response: DraftReply,
  changes: false,
  timeoutMs: 5_000,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000', draftId: draft.id }, response: { draft } },
});

export class ListDraftsCommand {
  @IsString() accountId: string;
  @IsInt() @Min(1) @Max(500) limit: number;
  /** Position after the last draft of the previous page. */
  @IsOptional() @IsString() @IsStorableText() @MaxLength(512) cursor?: string;
  @IsOptional() @IsIn(TEMPLATE_DRAFT_STATES) state?: TemplateDraftState;
}

@Answer({ name: 'TemplateDraftList' })
export class ListDraftsReply {
  @ListOf(() => TemplateDraftRecord) drafts: TemplateDraftRecord[];
  /** Position of the next page; null on the last page. */
  @OrNull() @IsString() nextCursor: string | null;
}

export const listDraftsV1 = command({
  name: 'templates.list-drafts.v1',
  owner: 'templates',
  description: "Returns one page of an account's template drafts, newest first.",
  request: ListDraftsCommand,
  response: ListDraftsReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', limit: 20, state: 'draft' },
    response: { drafts: [templateSamples.draft], nextCursor: null },
  },
});

export class DeleteDraftCommand {
  @IsString() accountId: string;
  @IsString() draftId: string;
}

export const deleteDraftV1 = command({
  name: 'templates.delete-draft.v1',
  owner: 'templates',
  description: 'Deletes a draft, unless it is being submitted.',
  request: DeleteDraftCommand,
  response: DraftReply,
  changes: true,
  timeoutMs: 5_000,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000', draftId: draft.id }, response: { draft } },
});

export class SubmitDraftCommand {
  @IsString() accountId: string;
  @IsString() draftId: string;
}

export const submitDraftV1 = command({
  name: 'templates.submit-draft.v1',
  owner: 'templates',
  description:
    'Submits a draft to the upstream platform for asynchronous review. INVALID_VALUE with all faults if the platform would reject it.',
  request: SubmitDraftCommand,
  response: DraftReply,
  changes: true,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', draftId: draft.id },
    response: { draft: { ...draft, state: 'submitting' as const } },
  },
});
