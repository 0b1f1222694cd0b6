import {
  AppError,
  type CheckedTemplateFacts,
  isPhone,
  type JobRow,
  type JobRowFault,
  type MessageContent,
  phoneFault,
  storableText,
  TemplateFiller,
  type TemplateVariable,
  templateVariables,
} from '@switchboard/contracts';
import type { CheckedJob } from './job-check';
import { CLIENT_REF_MAX_CHARACTERS } from './row-limits';

/** What is wrong with a row whatever its content: its number or reference. */
export function faultOfRow({ phone, clientRef, fault }: JobRow): JobRowFault | undefined {
  if (fault) return fault;
  if (!isPhone(phone)) return { code: 'INVALID_PHONE', message: phoneFault(phone) };
  if (clientRef === undefined) return undefined;
  if (clientRef.length > CLIENT_REF_MAX_CHARACTERS)
    return { code: 'TEXT_TOO_LONG', message: `clientRef must be at most ${CLIENT_REF_MAX_CHARACTERS} characters` };
  return storableText(clientRef) === clientRef
    ? undefined
    : { code: 'INVALID_VALUE', message: 'clientRef holds characters that cannot be stored' };
}

/** The variables that rows fill. A messaging service of the version before told of the body alone. */
export function variablesOfTemplate({ components, bodyVariables, category }: CheckedTemplateFacts): TemplateVariable[] {
  const ofBody = [{ type: 'BODY', text: bodyVariables.map((name) => `{{${name}}}`).join(' ') }];
  return templateVariables({ components: components ?? ofBody, category });
}

/**
 * The message of a job with components in the place of its template's `variables`: what is stored and sent knows
 * components alone. Recipients may bring what is missing.
 * @throws AppError INVALID_PARAMETER when components give more than what buttons open, and what a value is refused with
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
