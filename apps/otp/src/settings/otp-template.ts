import {
  AppError,
  ERRORS,
  type TemplateContent,
  TemplateFiller,
  type TemplateRecord,
  type TemplateVariable,
  templateVariables,
} from '@switchboard/contracts';

/** Template categories allowed for codes (spec §9.1.4). */
const CATEGORIES = ['AUTHENTICATION', 'UTILITY'];

/**
 * Fills a template with a code. The body may have one variable, the code, or two, the code and the minutes. The
 * variables of buttons get the code.
 * @throws AppError TEMPLATE_NOT_FOUND, TEMPLATE_NOT_APPROVED, or TEMPLATE_PARAMS_MISMATCH when the template cannot
 * carry a code (spec §9.1.5)
 */
export function fillOtpTemplate(
  template: TemplateRecord | null,
  { code, minutes }: { code: string; minutes: number },
): TemplateContent {
  if (!template) throw new AppError('TEMPLATE_NOT_FOUND');
  if (template.status !== 'APPROVED') throw new AppError('TEMPLATE_NOT_APPROVED');
  if (!CATEGORIES.includes(template.category.toUpperCase()))
    throw unfit(`its category is ${template.category}, not AUTHENTICATION or UTILITY`);
  const variables = templateVariables(template);
  const values = [code, String(minutes)];
  const ofBody = namesIn(variables, 'body');
  const foreign = variables.find((variable) => !variable.isOptional && !canCarryCode(variable));
  if (foreign) throw unfit(`its ${foreign.key} needs a value other than the code`);
  if (namesIn(variables, 'header').length > 0) throw unfit('its header has a variable');
  if (ofBody.length === 0) throw unfit('its body has no variable for the code');
  if (ofBody.length > values.length)
    throw unfit(`its body has ${ofBody.length} variables; it may have two, code and minutes`);
  const filled = new TemplateFiller(variables).fill(
    Object.fromEntries([
      ...ofBody.map((key, index) => [key, values[index]] as const),
      ...namesIn(variables, 'button').map((key) => [key, code] as const),
    ]),
  );
  if ('fault' in filled) throw unfit(filled.fault.message);
  return { name: template.name, language: { code: template.language }, components: filled.components };
}

/**
 * Returns true for variables outside cards that accept text or a coupon code. Also for header variables, because the
 * caller checks them separately.
 */
function canCarryCode({ place, card, kind }: TemplateVariable): boolean {
  if (card !== undefined) return false;
  return place === 'header' || kind === 'text' || kind === 'coupon_code';
}

/** Returns the keys of the required variables of one kind of component. */
function namesIn(variables: readonly TemplateVariable[], place: TemplateVariable['place']): string[] {
  return variables.filter((variable) => variable.place === place && !variable.isOptional).map(({ key }) => key);
}

function unfit(reason: string): AppError {
  return new AppError('TEMPLATE_PARAMS_MISMATCH', {
    message: `${ERRORS.TEMPLATE_PARAMS_MISMATCH.message}: the OTP template cannot be used: ${reason}`,
  });
}
