import {
  AppError,
  type CheckedTemplateFacts,
  ERRORS,
  faultOfLabels,
  isRecipient,
  isUserId,
  type JobRow,
  type JobRowFault,
  type MessageContent,
  phoneFault,
  TemplateFiller,
  type TemplateVariable,
  templateVariables,
} from '@switchboard/contracts';
import type { CheckedJob } from './job-check';

/**
 * Returns a fault in a row's recipient or labels. Does not check the row's content.
 * @param needsPhone true if the platform delivers the message to phone numbers only
 */
export function faultOfRow(row: JobRow, needsPhone: boolean): JobRowFault | undefined {
  if (row.fault) return row.fault;
  if (!isRecipient(row.phone)) return { code: 'INVALID_PHONE', message: phoneFault(row.phone) };
  if (needsPhone && isUserId(row.phone)) return { code: 'PHONE_REQUIRED', message: ERRORS.PHONE_REQUIRED.message };
  return faultOfLabels(row);
}

/** Returns the variables that rows can fill. The previous version of messaging reports only those of the body. */
export function variablesOfTemplate({ components, bodyVariables, category }: CheckedTemplateFacts): TemplateVariable[] {
  const ofBody = [{ type: 'BODY', text: bodyVariables.map((name) => `{{${name}}}`).join(' ') }];
  return templateVariables({ components: components ?? ofBody, category });
}

/**
 * Replaces the template's `variables` in a job's message by components, because only components are stored and sent.
 * Recipients may add missing values.
 * @throws AppError INVALID_PARAMETER when components contain more than the parameters of buttons; the error of an
 * invalid value
 */
export function withComponents(message: MessageContent, { template }: CheckedJob): MessageContent {
  if (!message.template?.variables || !template) return message;
  const { variables, components = [], ...content } = message.template;
  const filler = new TemplateFiller(variablesOfTemplate(template), { own: components });
  const fault = filler.faultOfOwn(variables) ?? filler.faultOfNames(variables);
  const filled = fault ? { fault } : filler.fillGiven(variables);
  if ('fault' in filled) throw new AppError(filled.fault.code, { message: filled.fault.message });
  return { ...message, template: { ...content, components: filled.components } };
}
