import { listTemplatesV1 } from '@switchboard/contracts';
import { anyObject, list, object, oneOfTexts, ref, type Schema, success, text } from '../../openapi/schema';

export const templateSchemas = {
  Template: object({
    id: text(),
    name: text(),
    status: text(undefined, { const: 'APPROVED' }),
    category: oneOfTexts(['MARKETING', 'UTILITY', 'AUTHENTICATION']),
    language: text(),
    components: list({ ...anyObject, description: 'HEADER, BODY, FOOTER or BUTTONS' }),
  }),
  TemplateList: object(
    { success, templates: list(ref('Template')) },
    { example: { success: true, ...listTemplatesV1.sample.response } },
  ),
} satisfies Record<string, Schema>;
