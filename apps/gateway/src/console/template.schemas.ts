import {
  TEMPLATE_CATEGORIES,
  TEMPLATE_DRAFT_KINDS,
  TEMPLATE_DRAFT_STATES,
  TEMPLATE_STATUSES,
  TEMPLATE_SYNC_STATES,
  templateSamples,
} from '@switchboard/contracts';
import {
  anyObject,
  integer,
  list,
  object,
  oneOfTexts,
  orNull,
  ref,
  type Schema,
  success,
  text,
  time,
} from '../openapi/schema';

const { draft } = templateSamples;
const components: Schema = {
  ...list(anyObject),
  maxItems: 20,
  description: 'HEADER, BODY, FOOTER and BUTTONS as the upstream platform takes them, examples included',
};
const language = text('`en-US` and `en_US` are the same', { minLength: 1, maxLength: 20 });
const category = text(`${TEMPLATE_CATEGORIES.join(', ')}, in either case`, { minLength: 1, maxLength: 20 });
const name = text(undefined, { minLength: 1, maxLength: 512 });
const ttlSeconds: Schema = {
  ...integer,
  minimum: 0,
  maximum: 2_592_000,
  description: "How long a message of it is worth delivering; 0 for the upstream platform's own",
};

/** The schemas of the console's bodies about templates. */
export const templateConsoleSchemas = {
  NewTemplateDraft: object(
    {
      wabaId: text('The business account upstream; may be absent where there is only one', { maxLength: 64 }),
      name,
      language,
      category,
      components,
      ttlSeconds,
    },
    {
      optional: ['wabaId', 'ttlSeconds'],
      example: { name: draft.name, language: draft.language, category: draft.category, components: draft.components },
    },
  ),
  TemplateDraftChange: object(
    { name, language, category, components, ttlSeconds },
    {
      optional: ['name', 'language', 'category', 'components', 'ttlSeconds'],
      example: { components: draft.components },
    },
  ),
  TemplateDraft: object({
    ...{
      id: text(),
      wabaId: text(),
      kind: oneOfTexts(TEMPLATE_DRAFT_KINDS),
      templateId: orNull(text('The template it changes, or has become')),
    },
    ...{
      name: text(),
      language: text(),
      category: text(),
      components,
      ttlSeconds: orNull(integer),
      state: oneOfTexts(TEMPLATE_DRAFT_STATES),
    },
    faults: {
      ...list(object({ field: text(), message: text() })),
      description: 'What the upstream platform would refuse; none: it may be submitted',
    },
    problem: orNull(text('Why the upstream platform refused it, or what keeps its submission waiting')),
    ...{ createdAt: time, updatedAt: time, submittedAt: orNull(time) },
  }),
  TemplateDraftAnswer: object({ success, draft: ref('TemplateDraft') }),
  TemplateDraftList: object({ success, drafts: list(ref('TemplateDraft')), nextCursor: orNull(text()) }),
  ManagedTemplate: object({
    ...{
      id: text(),
      wabaId: text(),
      name: text(),
      language: text(),
      category: text(),
      status: oneOfTexts(TEMPLATE_STATUSES),
    },
    upstreamStatus: text("The upstream platform's own word, for example PAUSED"),
    components: { ...list(anyObject), description: 'As the upstream platform lists them, examples included' },
    qualityScore: orNull(text('GREEN, YELLOW, RED or UNKNOWN')),
    reason: orNull(text('Why it was rejected')),
    recommendation: orNull(text('What the reviewers recommend')),
    draftId: orNull(text('The draft of a change that is not submitted yet')),
    updatedAt: time,
  }),
  ManagedTemplateAnswer: object({ success, template: ref('ManagedTemplate') }),
  ManagedTemplateList: object({ success, templates: list(ref('ManagedTemplate')), nextCursor: orNull(text()) }),
  TemplateEventList: object({
    success,
    events: list(
      object({
        ...{
          id: text(),
          at: time,
          callbackField: orNull(text('Of a callback, as it came; null for a change that a reading found')),
        },
        ...{
          previousStatus: orNull(text()),
          status: orNull(text()),
          upstreamStatus: orNull(text()),
          previousCategory: orNull(text()),
          category: orNull(text()),
          reason: orNull(text()),
        },
        raw: { ...anyObject, description: 'The callback, or the template as it was read' },
      }),
    ),
    nextCursor: orNull(text()),
  }),
  TemplateSync: object({
    success,
    businesses: list(
      object({
        ...{
          wabaId: text(),
          state: oneOfTexts(TEMPLATE_SYNC_STATES),
          requestedAt: orNull(time),
          lastReadAt: orNull(time),
        },
        ...{
          pagesRead: integer,
          templatesRead: integer,
          problem: orNull(text('Why the last reading failed')),
          nextReadAt: time,
        },
      }),
    ),
  }),
} satisfies Record<string, Schema>;
