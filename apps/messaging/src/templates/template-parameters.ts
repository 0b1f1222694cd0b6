import { AppError, ERRORS, type TemplateContent, type TemplateRecord } from '@switchboard/contracts';

const VARIABLE = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g;

/** How many different variables a template's text has. */
export function countVariables(text: string): number {
  return new Set([...text.matchAll(VARIABLE)].map(([, name]) => name)).size;
}

/**
 * Checks that the body gets as many parameters as the template's body has variables (decisions 4).
 * @throws AppError TEMPLATE_PARAMS_MISMATCH naming both figures
 */
export function checkBodyParameters(template: Pick<TemplateRecord, 'components'>, given: Pick<TemplateContent, 'components'>): void {
  const expectedCount = countVariables(bodyText(template));
  const givenCount = (given.components ?? [])
    .filter(({ type }) => type.toLowerCase() === 'body')
    .reduce((count, { parameters = [] }) => count + parameters.length, 0);
  if (expectedCount === givenCount) return;
  const message = `${ERRORS.TEMPLATE_PARAMS_MISMATCH.message}: the body expects ${expectedCount}, ${givenCount} given`;
  throw new AppError('TEMPLATE_PARAMS_MISMATCH', { message, details: [{ field: 'template.components', message }] });
}

function bodyText({ components }: Pick<TemplateRecord, 'components'>): string {
  const body = components.find((component) => 'type' in component && String(component.type).toUpperCase() === 'BODY');
  return body && 'text' in body && typeof body.text === 'string' ? body.text : '';
}
