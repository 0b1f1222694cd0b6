import { IsArray, IsBoolean, IsIn, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { Answer, ListOf, Nested, OrNull } from '../body-docs';
import { command, event } from '../message-contract';
import { IsStorableText } from '../validation';
import { DraftReply } from './drafts.v1';
import {
  ManagedTemplateRecord,
  NAME_PART,
  TEMPLATE_STATUSES,
  TemplateEventRecord,
  templateSamples,
  type TemplateStatus,
} from './template-records';

const { draft, template } = templateSamples;

/** Template in the format of the API's lists (spec §7.5.3). */
export class TemplateRecord {
  @IsString() id: string;
  @IsString() name: string;
  @IsIn(TEMPLATE_STATUSES) status: TemplateStatus;
  @IsString() category: string;
  @IsString() language: string;
  /** Components of type HEADER, BODY, FOOTER, BUTTONS, CAROUSEL or LIMITED_TIME_OFFER, in the format of the spec. */
  @IsArray() components: object[];
}

export class ListTemplatesCommand {
  @IsString() accountId: string;
  @IsOptional() @IsString() @IsStorableText() name?: string;
  /** Locale code; `en-US` and `en_US` are equivalent. */
  @IsOptional() @IsString() @IsStorableText() language?: string;
  /** Category, case-insensitive. */
  @IsOptional() @IsString() @IsStorableText() category?: string;
}

export class ListTemplatesReply {
  @ListOf(() => TemplateRecord) templates: TemplateRecord[];
}

export const templateSample: TemplateRecord = {
  id: '1387372356726668',
  name: 'order_update',
  status: 'APPROVED',
  category: 'UTILITY',
  language: 'en_US',
  components: [{ type: 'BODY', text: 'Order {{1}} ships on {{2}}.' }],
};

export const listTemplatesV1 = command({
  name: 'templates.list-templates.v1',
  owner: 'templates',
  description: "Returns the account's approved templates, by name and language.",
  request: ListTemplatesCommand,
  response: ListTemplatesReply,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: 65_536,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000' },
    response: { templates: [templateSample] },
  },
});

export class GetTemplateCommand {
  @IsString() accountId: string;
  @IsString() name: string;
  /** Locale code; `en-US` and `en_US` are equivalent. */
  @IsString() language: string;
  /** Business account to search, that of the sending number; all of the account's if absent. */
  @IsOptional() @IsString() wabaId?: string;
}

export class GetTemplateReply {
  /** Template of any status; null if the account has none with this name and language. */
  @IsOptional() @Nested(() => TemplateRecord) template: TemplateRecord | null;
  /** Available languages of the template, if it does not have the requested one. */
  @IsOptional() @IsArray() @IsString({ each: true }) languages?: string[];
}

export const getTemplateV1 = command({
  name: 'templates.get-template.v1',
  owner: 'templates',
  callers: ['messaging', 'otp'],
  description: 'Returns a template of any status, by name and language.',
  request: GetTemplateCommand,
  response: GetTemplateReply,
  changes: false,
  timeoutMs: 3_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', name: 'order_update', language: 'en_US' },
    response: { template: templateSample },
  },
});

export class SearchTemplatesCommand {
  @IsString() accountId: string;
  @IsInt() @Min(1) @Max(500) limit: number;
  /** Position after the last template of the previous page. */
  @IsOptional() @IsString() @IsStorableText() @MaxLength(1_024) cursor?: string;
  @IsOptional() @IsIn(TEMPLATE_STATUSES) status?: TemplateStatus;
  /** Prefix of the template name. */
  @IsOptional() @IsString() @IsStorableText() @MaxLength(512) name?: string;
  /** Part of the template name. Underscores do not count. */
  @IsOptional() @Matches(NAME_PART) partOfName?: string;
  @IsOptional() @IsString() @IsStorableText() @MaxLength(20) language?: string;
  @IsOptional() @IsString() @IsStorableText() @MaxLength(20) category?: string;
}

@Answer({ name: 'ManagedTemplateList' })
export class SearchTemplatesReply {
  @ListOf(() => ManagedTemplateRecord) templates: ManagedTemplateRecord[];
  /** Position of the next page; null on the last page. */
  @OrNull() @IsString() nextCursor: string | null;
}

export const searchTemplatesV1 = command({
  name: 'templates.search-templates.v1',
  owner: 'templates',
  description:
    "Returns one page of an account's templates of every status, by name and language, with management details.",
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

export class ShowTemplateCommand {
  @IsString() accountId: string;
  @IsString() templateId: string;
}

@Answer({ name: 'ManagedTemplateAnswer' })
export class ShowTemplateReply {
  @Nested(() => ManagedTemplateRecord) template: ManagedTemplateRecord;
}

export const showTemplateV1 = command({
  name: 'templates.show-template.v1',
  owner: 'templates',
  description: 'Returns a template of any status, by id, with management details.',
  request: ShowTemplateCommand,
  response: ShowTemplateReply,
  changes: false,
  timeoutMs: 5_000,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000', templateId: template.id }, response: { template } },
});

export class EditTemplateCommand {
  @IsString() accountId: string;
  @IsString() templateId: string;
}

export const editTemplateV1 = command({
  name: 'templates.edit-template.v1',
  owner: 'templates',
  description: 'Creates a draft of a change from the current content of a template, or returns the existing draft.',
  request: EditTemplateCommand,
  response: DraftReply,
  changes: true,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', templateId: template.id },
    response: { draft: { ...draft, kind: 'edit' as const, templateId: template.id } },
  },
});

export class DeleteTemplateCommand {
  @IsString() accountId: string;
  @IsString() templateId: string;
}

export class DeleteTemplateReply {
  @IsString() templateId: string;
  /** Number of other accounts that share the business and also lose the template. */
  @IsOptional() @IsInt() otherAccounts?: number;
}

const { id: templateId } = templateSamples.template;

export const deleteTemplateV1 = command({
  name: 'templates.delete-template.v1',
  owner: 'templates',
  description: 'Deletes one language of a template at the upstream platform. The next sync removes it from the list.',
  request: DeleteTemplateCommand,
  response: DeleteTemplateReply,
  changes: true,
  timeoutMs: 15_000,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000', templateId }, response: { templateId } },
});

export class ListTemplateEventsCommand {
  @IsString() accountId: string;
  @IsString() templateId: string;
  @IsInt() @Min(1) @Max(500) limit: number;
  /** ID of the last event of the previous page. */
  @IsOptional() @IsString() @Matches(/^[1-9][0-9]{0,17}$/) @MaxLength(18) cursor?: string;
}

@Answer({ name: 'TemplateEventList' })
export class ListTemplateEventsReply {
  @ListOf(() => TemplateEventRecord) events: TemplateEventRecord[];
  /** Position of the next page; null on the last page. */
  @OrNull() @IsString() nextCursor: string | null;
}

export const listTemplateEventsV1 = command({
  name: 'templates.list-template-events.v1',
  owner: 'templates',
  description:
    'Returns one page of the history of a template, newest first: callbacks as received, and changes found by syncs. Includes deleted templates.',
  request: ListTemplateEventsCommand,
  response: ListTemplateEventsReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', templateId: templateSamples.template.id, limit: 20 },
    response: { events: [templateSamples.event], nextCursor: null },
  },
});

export class TemplateStatusChangedV1 {
  @IsString() accountId: string;
  @IsString() templateId: string;
  @IsString() templateName: string;
  @IsString() language: string;
  @IsString() category: string;
  @IsIn(TEMPLATE_STATUSES) status: TemplateStatus;
  /** Previous status; null if the template was unknown. */
  @IsOptional() @IsIn(TEMPLATE_STATUSES) previousStatus: TemplateStatus | null;
  /** Upstream reason, for example for a rejection or pause. */
  @IsOptional() @IsString() reason: string | null;
  /**
   * True if the template can be sent: FLAGGED may be only a warning. Absent in events of earlier versions, which did
   * not report such warnings.
   */
  @IsOptional() @IsBoolean() sendable?: boolean;
  @IsString() timestamp: string;
}

export const templateStatusChangedV1 = event({
  name: 'templates.template-status.changed.v1',
  producer: 'templates',
  consumers: ['webhooks', 'jobs'],
  changes: ({ accountId, templateId }) => [{ accountId, kind: 'template', ids: [templateId] }],
  description:
    'The status of a template changed, or the template was flagged as a warning. `sendable` indicates whether it can be sent.',
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

export class TemplateContentChangedV1 {
  @IsString() accountId: string;
  @IsString() templateName: string;
}

export const templateContentChangedV1 = event({
  name: 'templates.template-content.changed.v1',
  producer: 'templates',
  consumers: [],
  broadcastTo: ['messaging', 'otp'],
  changes: ({ accountId }) => [{ accountId, kind: 'template' }],
  description: 'The text, category or status of a template changed. Cached copies are stale.',
  body: TemplateContentChangedV1,
  sample: { accountId: 'acc_01jd0000000000000000000000', templateName: 'order_update' },
});
