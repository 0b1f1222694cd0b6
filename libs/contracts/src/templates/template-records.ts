import { Type } from 'class-transformer';
import { IsArray, IsIn, IsInt, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';

export const TEMPLATE_STATUSES = ['APPROVED', 'PENDING', 'REJECTED', 'FLAGGED', 'DISABLED'] as const;
export type TemplateStatus = (typeof TEMPLATE_STATUSES)[number];
export const TEMPLATE_CATEGORIES = ['AUTHENTICATION', 'MARKETING', 'UTILITY'] as const;
export const TEMPLATE_DRAFT_STATES = ['draft', 'submitting', 'refused', 'submitted'] as const;
export type TemplateDraftState = (typeof TEMPLATE_DRAFT_STATES)[number];
export const TEMPLATE_DRAFT_KINDS = ['create', 'edit'] as const;
export type TemplateDraftKind = (typeof TEMPLATE_DRAFT_KINDS)[number];
export const TEMPLATE_SYNC_STATES = ['waiting', 'reading', 'done', 'failed'] as const;
export type TemplateSyncState = (typeof TEMPLATE_SYNC_STATES)[number];

/** What the upstream platform would refuse of a draft, by the field it is about. */
export class TemplateFault {
  @IsString() field: string;
  @IsString() message: string;
}

/** A template that is being written here: a new one, or a change of one that is there. */
export class TemplateDraftRecord {
  @IsString() id: string;
  @IsString() wabaId: string;
  @IsIn(TEMPLATE_DRAFT_KINDS) kind: TemplateDraftKind;
  /** The template it changes, or has become. */
  @IsOptional() @IsString() templateId: string | null;
  @IsString() name: string;
  @IsString() language: string;
  @IsString() category: string;
  /** As the upstream platform takes them, examples included. */
  @IsArray() components: object[];
  /** How long a message of it is worth delivering, in seconds; the upstream's own when null. */
  @IsOptional() @IsInt() ttlSeconds: number | null;
  @IsIn(TEMPLATE_DRAFT_STATES) state: TemplateDraftState;
  /** None: it may be submitted. */
  @IsArray() @ValidateNested({ each: true }) @Type(() => TemplateFault) faults: TemplateFault[];
  /** Why the upstream platform refused it, or what keeps its submission waiting. */
  @IsOptional() @IsString() problem: string | null;
  @IsString() createdAt: string;
  @IsString() updatedAt: string;
  @IsOptional() @IsString() submittedAt: string | null;
}

/** A template of any status as its account manages it. */
export class ManagedTemplateRecord {
  @IsString() id: string;
  @IsString() wabaId: string;
  @IsString() name: string;
  @IsString() language: string;
  @IsString() category: string;
  @IsIn(TEMPLATE_STATUSES) status: TemplateStatus;
  /** The upstream's own word, for example PAUSED. */
  @IsString() upstreamStatus: string;
  /** As the upstream platform lists them, examples included. */
  @IsArray() components: object[];
  /** GREEN, YELLOW, RED or UNKNOWN. */
  @IsOptional() @IsString() qualityScore: string | null;
  /** Why it was rejected, and what the reviewers recommend. */
  @IsOptional() @IsString() reason: string | null;
  @IsOptional() @IsString() recommendation: string | null;
  /** The draft of a change that is not submitted yet. */
  @IsOptional() @IsString() draftId: string | null;
  @IsString() updatedAt: string;
}

/** What happened to a template: a callback as it came, or a change that a reading found. */
export class TemplateEventRecord {
  @IsString() id: string;
  @IsString() at: string;
  /** The callback's field; null when a reading found the change. */
  @IsOptional() @IsString() callbackField: string | null;
  @IsOptional() @IsString() previousStatus: string | null;
  @IsOptional() @IsString() status: string | null;
  @IsOptional() @IsString() upstreamStatus: string | null;
  @IsOptional() @IsString() previousCategory: string | null;
  @IsOptional() @IsString() category: string | null;
  @IsOptional() @IsString() reason: string | null;
  /** The callback, or the template as it was read; empty when it was gone. */
  @IsObject() raw: object;
}

/** How far the reading of one business account upstream has come. */
export class TemplateSyncRecord {
  @IsString() wabaId: string;
  @IsIn(TEMPLATE_SYNC_STATES) state: TemplateSyncState;
  /** When somebody asked for a reading last. */
  @IsOptional() @IsString() requestedAt: string | null;
  /** When the newest reading that was taken over began. */
  @IsOptional() @IsString() lastReadAt: string | null;
  /** Of the running reading, or of the last one. */
  @IsInt() pagesRead: number;
  @IsInt() templatesRead: number;
  /** Why the last reading failed. */
  @IsOptional() @IsString() problem: string | null;
  @IsString() nextReadAt: string;
}

const body = {
  type: 'BODY',
  text: 'Order {{1}} ships on {{2}} as planned.',
  example: { body_text: [['A-17', 'Monday']] },
};
const named = {
  wabaId: '100000000000001',
  name: 'order_update',
  language: 'en_US',
  category: 'UTILITY',
  components: [body],
};

export const templateSamples: {
  draft: TemplateDraftRecord;
  template: ManagedTemplateRecord;
  event: TemplateEventRecord;
  sync: TemplateSyncRecord;
} = {
  draft: {
    ...{
      id: 'tpl_01jd0000000000000000000000',
      kind: 'create',
      templateId: null,
      ...named,
      ttlSeconds: null,
      state: 'draft',
    },
    ...{
      faults: [],
      problem: null,
      createdAt: '2026-03-02T10:00:00.000Z',
      updatedAt: '2026-03-02T10:00:00.000Z',
      submittedAt: null,
    },
  },
  template: {
    ...{
      id: '1387372356726668',
      ...named,
      status: 'REJECTED',
      upstreamStatus: 'REJECTED',
      qualityScore: null,
      reason: 'INVALID_FORMAT',
    },
    ...{
      recommendation: 'Separate parameters with descriptive text.',
      draftId: null,
      updatedAt: '2026-03-02T10:15:04.120Z',
    },
  },
  event: {
    ...{
      id: '7',
      at: '2026-03-02T10:15:04.120Z',
      callbackField: null,
      previousStatus: 'PENDING',
      status: 'REJECTED',
      upstreamStatus: 'REJECTED',
    },
    ...{
      previousCategory: null,
      category: null,
      reason: 'INVALID_FORMAT',
      raw: { id: '1387372356726668', status: 'REJECTED' },
    },
  },
  sync: {
    ...{
      wabaId: '100000000000001',
      state: 'reading',
      requestedAt: '2026-03-02T10:15:00.000Z',
      lastReadAt: '2026-03-02T10:10:00.000Z',
    },
    ...{ pagesRead: 1, templatesRead: 100, problem: null, nextReadAt: '2026-03-02T10:15:30.000Z' },
  },
};
