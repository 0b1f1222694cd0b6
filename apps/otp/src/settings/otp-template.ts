import { AppError, ERRORS, type TemplateContent, type TemplateRecord, variablesOf } from '@switchboard/contracts';

interface StoredButton {
  type?: string;
  url?: string;
}

interface StoredComponent {
  type?: string;
  format?: string;
  text?: string;
  buttons?: StoredButton[];
}

type Component = NonNullable<TemplateContent['components']>[number];

/** Categories that codes may be sent in (spec §9.1.4). */
const CATEGORIES = ['AUTHENTICATION', 'UTILITY'];
const TEXT_FORMATS = ['', 'TEXT'];

/**
 * A template filled with a code: the body's variables in the order code, minutes, as many as it has; a button's
 * variable gets the code.
 * @throws AppError TEMPLATE_NOT_FOUND, TEMPLATE_NOT_APPROVED, or TEMPLATE_PARAMS_MISMATCH when it cannot carry a code
 * (spec §9.1.5)
 */
export function fillOtpTemplate(
  template: TemplateRecord | null,
  { code, minutes }: { code: string; minutes: number },
): TemplateContent {
  if (!template) throw new AppError('TEMPLATE_NOT_FOUND');
  if (template.status !== 'APPROVED') throw new AppError('TEMPLATE_NOT_APPROVED');
  if (!CATEGORIES.includes(template.category.toUpperCase()))
    throw unfit(`its category is ${template.category}, not AUTHENTICATION or UTILITY`);
  const components = (template.components as StoredComponent[]).flatMap((component) =>
    filled(component, [code, String(minutes)]),
  );
  if (!components.some(({ type }) => type === 'body')) throw unfit('its body has no variable for the code');
  return { name: template.name, language: { code: template.language }, components };
}

function filled(
  { type = '', format = '', text, buttons = [] }: StoredComponent,
  values: [code: string, minutes: string],
): Component[] {
  switch (type.toUpperCase()) {
    case 'HEADER':
      if (!TEXT_FORMATS.includes(format.toUpperCase()) || variablesOf(text).length > 0)
        throw unfit('its header wants a value');
      return [];
    case 'BODY':
      return filledBody(variablesOf(text).length, values);
    case 'BUTTONS':
      return buttons.flatMap((button, index) => filledButton(button, String(index), values[0]));
    default:
      return [];
  }
}

function filledBody(variables: number, values: string[]): Component[] {
  if (variables > values.length) throw unfit(`its body has ${variables} variables; it may have two, code and minutes`);
  return variables === 0 ? [] : [{ type: 'body', parameters: values.slice(0, variables).map(textOf) }];
}

function filledButton({ type = '', url }: StoredButton, index: string, code: string): Component[] {
  switch (type.toUpperCase()) {
    case 'URL': {
      const variables = variablesOf(url).length;
      if (variables > 1) throw unfit(`button ${index} has ${variables} variables`);
      return variables === 0 ? [] : [{ type: 'button', sub_type: 'url', index, parameters: [textOf(code)] }];
    }
    // Created under this name, and sent as a URL button.
    case 'OTP':
      return [{ type: 'button', sub_type: 'url', index, parameters: [textOf(code)] }];
    case 'COPY_CODE':
      return [
        { type: 'button', sub_type: 'copy_code', index, parameters: [{ type: 'coupon_code', coupon_code: code }] },
      ];
    default:
      return [];
  }
}

function textOf(text: string): { type: 'text'; text: string } {
  return { type: 'text', text };
}

function unfit(reason: string): AppError {
  return new AppError('TEMPLATE_PARAMS_MISMATCH', {
    message: `${ERRORS.TEMPLATE_PARAMS_MISMATCH.message}: the OTP template cannot be used: ${reason}`,
  });
}
