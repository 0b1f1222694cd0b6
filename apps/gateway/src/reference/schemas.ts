import { contactSchemas } from '../contacts/contacts.schemas';
import { conversationSchemas } from '../conversations/conversations.schemas';
import { excelSchemas } from '../jobs/excel.schemas';
import { jobSchemas } from '../jobs/jobs.schemas';
import { meSchemas } from '../me/me.schemas';
import { messageSchemas } from '../messages/messages.schemas';
import { otpSchemas } from '../otp/otp.schemas';
import { templateSchemas } from '../templates/templates.schemas';
import { commonSchemas } from './common.schemas';
import type { Schema } from './schema';
import { webhookSchemas } from './webhooks.schemas';

/** The schemas of the public API's bodies, by the names that operations refer to: a line per noun. */
export const schemas = {
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

export type SchemaName = keyof typeof schemas;
