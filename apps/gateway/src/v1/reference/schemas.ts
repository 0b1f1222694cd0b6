import { contactSchemas } from '../contacts/contacts.schemas';
import { conversationSchemas } from '../conversations/conversations.schemas';
import { excelSchemas } from '../jobs/excel.schemas';
import { jobSchemas } from '../jobs/jobs.schemas';
import { meSchemas } from '../me/me.schemas';
import { messageSchemas } from '../messages/messages.schemas';
import { otpSchemas } from '../otp/otp.schemas';
import { templateSchemas } from '../templates/templates.schemas';
import { commonSchemas } from '../../openapi/common.schemas';
import { list, ref, type Schema, success } from '../../openapi/schema';
import { webhookSchemas } from './webhooks.schemas';

/** A line per noun. */
const named = {
  ...messageSchemas,
  ...contactSchemas,
  ...conversationSchemas,
  ...meSchemas,
  ...templateSchemas,
  ...otpSchemas,
  ...jobSchemas,
  ...excelSchemas,
  ...webhookSchemas,
  ...commonSchemas,
} satisfies Record<string, Schema>;

export type SchemaName = keyof typeof named;

declare module '../../openapi/decorators' {
  interface SchemaNames {
    v1: SchemaName;
  }
}

/** The schemas of the public API's bodies, by the names that operations refer to. */
export const schemas = Object.fromEntries(
  Object.entries(named).map(([name, schema]) => [name, withWarnings(schema)]),
) as Record<SchemaName, Schema>;

/** Every answer that succeeds may name what the request held and the API does not know. */
function withWarnings(schema: Schema): Schema {
  return schema.properties?.['success'] === success
    ? { ...schema, properties: { ...schema.properties, warnings: list(ref('Warning')) } }
    : schema;
}
