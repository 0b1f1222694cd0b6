import {
  type CheckedTemplateFacts,
  ERRORS,
  isPhone,
  type JobRow,
  type JobRowFault,
  phoneFault,
  storableText,
  type TemplateComponent,
} from '@switchboard/contracts';
import { CLIENT_REF_MAX_CHARACTERS, VARIABLE_MAX_CHARACTERS } from './row-limits';

/** The upstream platform refuses these in a value (its code 132018). */
const UNSENDABLE_TEXT = /[\n\r\t]| {5,}/;

type Filled = { components: TemplateComponent[] } | { fault: JobRowFault };

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

/**
 * The components of a recipient who brings variables: those of the job, with the body filled from the variables, in
 * their order or by their names; what the template does not name is not looked at.
 */
export function fillVariables(
  variables: NonNullable<JobRow['variables']>,
  template: CheckedTemplateFacts,
  own: readonly TemplateComponent[],
): Filled {
  const { bodyVariables: names } = template;
  if (Array.isArray(variables) && variables.length !== names.length)
    return mismatch(`the body expects ${names.length}, ${variables.length} given`);
  const values = Array.isArray(variables)
    ? variables
    : names.map((name) => (Object.hasOwn(variables, name) ? variables[name] : undefined));
  for (const [index, value] of values.entries()) {
    const fault = faultOfValue(value, names[index] ?? '');
    if (fault) return fault;
  }
  const others = own.filter(({ type }) => type.toLowerCase() !== 'body');
  if (names.length === 0) return { components: others };
  const parameters = values.map((value, index) => ({
    type: 'text' as const,
    ...nameOf(names[index] ?? ''),
    text: value as string,
  }));
  return { components: [...others, { type: 'body', parameters }] };
}

/** Numbered variables need no name. */
function nameOf(name: string): { parameter_name?: string } {
  return /^[0-9]*$/.test(name) ? {} : { parameter_name: name };
}

function faultOfValue(value: unknown, name: string): { fault: JobRowFault } | undefined {
  if (value === undefined || value === null || value === '') return mismatch(`variable ${name} is empty`);
  if (typeof value !== 'string')
    return { fault: { code: 'INVALID_PARAMETER', message: `variable ${name} must be a text` } };
  if (value.length > VARIABLE_MAX_CHARACTERS)
    return {
      fault: {
        code: 'TEXT_TOO_LONG',
        message: `variable ${name} must be at most ${VARIABLE_MAX_CHARACTERS} characters`,
      },
    };
  if (storableText(value) !== value)
    return { fault: { code: 'INVALID_VALUE', message: `variable ${name} holds characters that cannot be stored` } };
  return UNSENDABLE_TEXT.test(value)
    ? mismatch(`variable ${name} must be without line breaks, tabs and more than 4 spaces in a row`)
    : undefined;
}

function mismatch(reason: string): { fault: JobRowFault } {
  return {
    fault: { code: 'TEMPLATE_PARAMS_MISMATCH', message: `${ERRORS.TEMPLATE_PARAMS_MISMATCH.message}: ${reason}` },
  };
}
