import { type TemplateVariable, templateVariables } from '@switchboard/template-rules';
import { useMemo, useState } from 'react';
import type { Schemas } from '../api/client';
import type { TemplateForm } from './template-form';

type Template = Pick<Schemas['ManagedTemplate'], 'id' | 'name' | 'language' | 'category' | 'components'>;

/** What fills a template, by the keys of its variables. */
export type Values = Readonly<Record<string, string>>;

const NO_VALUES: Values = {};
const LABELS: Partial<Record<TemplateVariable['kind'], string>> = {
  image: 'Address of the file',
  video: 'Address of the file',
  document: 'Address of the file',
  filename: 'Name of the file',
  latitude: 'Latitude',
  longitude: 'Longitude',
  name: 'Name of the place',
  address: 'Address of the place',
};

/** Everything that somebody is asked for before a template is sent. Quick replies do without their payloads. */
export function askedOf(template: Pick<Template, 'components' | 'category'>): TemplateVariable[] {
  return templateVariables(template).filter(({ kind }) => kind !== 'payload');
}

/** What a variable is called in a form; buttons by their texts. */
export function labelOf({ place, index = 0, key, kind }: TemplateVariable, { buttons }: TemplateForm): string {
  if (kind === 'coupon_code') return `Code of button ${index + 1}`;
  if (place === 'button') return `{{1}} of Link of “${buttons[index]?.text || `button ${index + 1}`}”`;
  return LABELS[kind] ?? `{{${key.replace('header ', '')}}} of ${place === 'header' ? 'Header' : 'Body'}`;
}

/** @returns whether everything is given that a template needs */
export function isFilled(variables: readonly TemplateVariable[], values: Values): boolean {
  return variables.every(({ key, isOptional }) => isOptional || (values[key] ?? '').trim() !== '');
}

/** Why the service cannot send a template, whatever its values. */
export function unsendable(variables: readonly TemplateVariable[]): string | undefined {
  return variables.some(({ kind }) => kind === 'other') ? 'The service cannot send a header of this kind' : undefined;
}

/** The template of a send as the public API takes it. */
export function sentTemplate({ name, language }: Pick<Template, 'name' | 'language'>, values: Values) {
  const variables = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  return {
    ...{ name, language: { code: language } },
    ...(Object.keys(variables).length > 0 && { variables }),
  };
}

/** The template's own samples. */
export function samplesOf(variables: readonly TemplateVariable[]): Values {
  return Object.fromEntries(variables.map(({ key, sample }) => [key, sample]));
}

/** The form as a preview shows it: values in the place of samples. */
export function formWith(form: TemplateForm, variables: readonly TemplateVariable[], values: Values): TemplateForm {
  const of = (place: TemplateVariable['place']): TemplateVariable[] =>
    variables.filter((variable) => variable.place === place && variable.kind === 'text' && values[variable.key]);
  const bodySamples = Object.fromEntries(of('body').map(({ key }) => [key, values[key] ?? '']));
  const [header] = of('header');
  return {
    ...{ ...form, bodySamples: { ...form.bodySamples, ...bodySamples } },
    ...(header && { headerSample: values[header.key] ?? '' }),
  };
}

/** What a template asks for, and what was given for it; what was given for one fits no other. */
export function useValues(template: Template | undefined) {
  const [given, setGiven] = useState<{ id: string; values: Values }>();
  const variables = useMemo(() => (template ? askedOf(template) : []), [template]);
  return {
    variables,
    values: given !== undefined && given.id === template?.id ? given.values : NO_VALUES,
    setValues: (values: Values): void => template && setGiven({ id: template.id, values }),
  };
}
