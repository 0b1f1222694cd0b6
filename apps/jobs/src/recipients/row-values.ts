import type { CardComponent, TemplateComponent, TemplateParameter } from '@switchboard/contracts';

/** Maximum values of a row, and maximum characters of each, so that a page of rows fits into a reply. */
const MAX_VALUES = 12;
const MAX_CHARACTERS = 200;

/**
 * Returns the texts, files and codes of a recipient's template components, by the name of their spreadsheet column.
 * Long values are truncated.
 */
export function rowValues(components: readonly TemplateComponent[] | null): Record<string, string> {
  const values = (components ?? []).flatMap((component) => [
    ...valuesOf(component, ''),
    ...(component.cards ?? []).flatMap((card, index) =>
      card.components.flatMap((part) => valuesOf(part, `card ${index + 1} `)),
    ),
  ]);
  return Object.fromEntries(
    values.slice(0, MAX_VALUES).map(([name, value]) => [name, Array.from(value).slice(0, MAX_CHARACTERS).join('')]),
  );
}

function valuesOf({ type, index, parameters = [] }: CardComponent, prefix: string): [name: string, value: string][] {
  const place = type.toLowerCase();
  return parameters.flatMap((parameter, at) => {
    const value = textOf(parameter);
    if (value === undefined) return [];
    if (place === 'button') return [[`${prefix}button ${Number(index ?? 0) + 1}`, value]];
    const variable = `{{${parameter.parameter_name ?? at + 1}}}`;
    if (place === 'body') return [[prefix + variable, value]];
    return [[`${prefix}header ${parameter.type === 'text' ? variable : 'link'}`, value]];
  });
}

function textOf(parameter: TemplateParameter): string | undefined {
  const file = parameter.image ?? parameter.video ?? parameter.gif ?? parameter.document;
  return parameter.text ?? parameter.coupon_code ?? file?.link ?? file?.id;
}
