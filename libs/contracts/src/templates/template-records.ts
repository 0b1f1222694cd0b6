import { IsArray, IsIn, IsInt, IsObject, IsString } from 'class-validator';
import { AddedLater, ANY_OBJECT, BodySchema, Doc, Either, IsTime, ListOf, OrNull } from '../body-docs';

/** Part of a template name, without underscores. */
export const NAME_PART = /^[a-z0-9]{1,512}$/;

export const TEMPLATE_STATUSES = ['APPROVED', 'PENDING', 'REJECTED', 'FLAGGED', 'DISABLED'] as const;
export type TemplateStatus = (typeof TEMPLATE_STATUSES)[number];
export const TEMPLATE_DRAFT_STATES = ['draft', 'submitting', 'refused', 'submitted'] as const;
export type TemplateDraftState = (typeof TEMPLATE_DRAFT_STATES)[number];
export const TEMPLATE_DRAFT_KINDS = ['create', 'edit'] as const;
export type TemplateDraftKind = (typeof TEMPLATE_DRAFT_KINDS)[number];
export const TEMPLATE_SYNC_STATES = ['waiting', 'reading', 'done', 'failed'] as const;
export type TemplateSyncState = (typeof TEMPLATE_SYNC_STATES)[number];

/** API description of the components of a draft. */
export const COMPONENTS =
  'HEADER, BODY, FOOTER, BUTTONS, CAROUSEL and LIMITED_TIME_OFFER in the format of the upstream platform, including examples. The `example.header_handle` of a header with a file is the id of a header sample. Variables are numbers, or names with `body_text_named_params` and `header_text_named_params`';

/** Problem for which the upstream platform would reject a draft. */
export class TemplateFault {
  @IsString() field: string;
  @IsString() message: string;
}

/** Draft of a new template or of a change to an existing one. */
@BodySchema({ name: 'TemplateDraft' })
export class TemplateDraftRecord {
  @IsString() id: string;
  @IsString() wabaId: string;
  @IsIn(TEMPLATE_DRAFT_KINDS) kind: TemplateDraftKind;
  @Doc('ID of the template that the draft changes, or that its submission created') @OrNull() @IsString() templateId:
    | string
    | null;
  @IsString() name: string;
  @IsString() language: string;
  @IsString() category: string;
  @Doc(COMPONENTS) @IsArray() @Either(ANY_OBJECT) components: object[];
  @Doc("Time to live of the template's messages, in seconds; null for the default of the upstream platform")
  @OrNull()
  @IsInt()
  ttlSeconds: number | null;
  @IsIn(TEMPLATE_DRAFT_STATES) state: TemplateDraftState;
  @Doc('Problems for which the upstream platform would reject the draft; empty if it can be submitted')
  @ListOf(() => TemplateFault)
  faults: TemplateFault[];
  @Doc('Reason why the upstream platform rejected the draft, or why its submission is delayed')
  @OrNull()
  @IsString()
  problem: string | null;
  @IsTime() createdAt: string;
  @IsTime() updatedAt: string;
  @OrNull() @IsTime() submittedAt: string | null;
}

/** Template of any status, with management details. */
@BodySchema({ name: 'ManagedTemplate' })
export class ManagedTemplateRecord {
  @IsString() id: string;
  @IsString() wabaId: string;
  @IsString() name: string;
  @IsString() language: string;
  @IsString() category: string;
  @IsIn(TEMPLATE_STATUSES) status: TemplateStatus;
  @Doc('Status of the template at the upstream platform, for example PAUSED') @IsString() upstreamStatus: string;
  @Doc(
    'Components as listed by the upstream platform, including examples. The `example.header_handle` of a header with a retained sample is the ID of the sample',
  )
  @IsArray()
  @Either(ANY_OBJECT)
  components: object[];
  @Doc('Quality score: GREEN, YELLOW, RED or UNKNOWN') @OrNull() @IsString() qualityScore: string | null;
  @Doc('Reason why the template was rejected or paused') @OrNull() @IsString() reason: string | null;
  @Doc("Recommendation by the platform's reviewers") @OrNull() @IsString() recommendation: string | null;
  @Doc('ID of the draft with an unsubmitted change') @OrNull() @IsString() draftId: string | null;
  @Doc('Number of other accounts that share the business and therefore the template')
  @AddedLater()
  @IsInt()
  otherAccounts?: number;
  @IsTime() updatedAt: string;
}

/** Event of a template: a callback, or a change detected by a sync. */
@BodySchema({ name: 'TemplateEvent' })
export class TemplateEventRecord {
  @IsString() id: string;
  @IsTime() at: string;
  @Doc('Upstream field of the callback; null for a change detected by a sync') @OrNull() @IsString() callbackField:
    | string
    | null;
  @OrNull() @IsString() previousStatus: string | null;
  @OrNull() @IsString() status: string | null;
  @OrNull() @IsString() upstreamStatus: string | null;
  @OrNull() @IsString() previousCategory: string | null;
  @OrNull() @IsString() category: string | null;
  @OrNull() @IsString() reason: string | null;
  @Doc('Callback or template as received from the upstream platform; empty if the template was deleted')
  @IsObject()
  raw: object;
}

/** Progress of a business account's template sync. */
@BodySchema({ name: 'TemplateSyncOfBusiness' })
export class TemplateSyncRecord {
  @IsString() wabaId: string;
  @IsIn(TEMPLATE_SYNC_STATES) state: TemplateSyncState;
  @Doc('Time of the last sync request') @OrNull() @IsTime() requestedAt: string | null;
  @Doc('Start time of the last completed sync') @OrNull() @IsTime() lastReadAt: string | null;
  @Doc('Number of pages read by the running sync, or by the last one') @IsInt() pagesRead: number;
  @IsInt() templatesRead: number;
  @Doc('Reason why the last sync failed; null if it succeeded') @OrNull() @IsString() problem: string | null;
  @IsTime() nextReadAt: string;
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
    id: 'tpl_01jd0000000000000000000000',
    kind: 'create',
    templateId: null,
    ...named,
    ttlSeconds: null,
    state: 'draft',
    faults: [],
    problem: null,
    createdAt: '2026-03-02T10:00:00.000Z',
    updatedAt: '2026-03-02T10:00:00.000Z',
    submittedAt: null,
  },
  template: {
    id: '1387372356726668',
    ...named,
    status: 'REJECTED',
    upstreamStatus: 'REJECTED',
    qualityScore: null,
    reason: 'INVALID_FORMAT',
    recommendation: 'Separate parameters with descriptive text.',
    draftId: null,
    otherAccounts: 0,
    updatedAt: '2026-03-02T10:15:04.120Z',
  },
  event: {
    id: '7',
    at: '2026-03-02T10:15:04.120Z',
    callbackField: null,
    previousStatus: 'PENDING',
    status: 'REJECTED',
    upstreamStatus: 'REJECTED',
    previousCategory: null,
    category: null,
    reason: 'INVALID_FORMAT',
    raw: { id: '1387372356726668', status: 'REJECTED' },
  },
  sync: {
    wabaId: '100000000000001',
    state: 'reading',
    requestedAt: '2026-03-02T10:15:00.000Z',
    lastReadAt: '2026-03-02T10:10:00.000Z',
    pagesRead: 1,
    templatesRead: 100,
    problem: null,
    nextReadAt: '2026-03-02T10:15:30.000Z',
  },
};
