import { isFileKind, type TemplateVariable, templateVariables } from '@switchboard/template-rules';
import { useMemo, useState } from 'react';
import type { Schemas } from '../../../api/client';
import { productList } from './product-list';
import type { TemplateForm } from './template-form';

type Template = Pick<Schemas['ManagedTemplate'], 'id' | 'name' | 'language' | 'category' | 'components'>;

/** What fills a template, by the keys of its variables. */
export type Values = Readonly<Record<string, string>>;

const NO_VALUES: Values = {};
const LABELS: Partial<Record<TemplateVariable['kind'], string>> = {
  filename: 'Name of the file',
  latitude: 'Latitude',
  longitude: 'Longitude',
  name: 'Name of the place',
  address: 'Address of the place',
  product: 'Id of the product',
  catalog: 'Id of the catalogue',
  offer_end: 'End of the offer',
  thumbnail: 'Product whose picture is shown',
  product_list: 'Products',
  flow_token: 'Token of the flow',
};

/**
 * Everything that somebody is asked for before a template is sent. Quick replies do without their payloads; a list of
 * products is asked for with the one whose picture is shown.
 */
export function askedOf(template: Pick<Template, 'components' | 'category'>): TemplateVariable[] {
  return templateVariables(template)
    .filter(({ kind }) => kind !== 'payload')
    .flatMap((variable) => (variable.kind === 'product_list' ? [pictureOf(variable), variable] : [variable]));
}

const pictureOf = (list: TemplateVariable): TemplateVariable => ({
  ...list,
  key: `${list.key} picture`,
  kind: 'thumbnail',
});

/** What a variable is called in a form; buttons by their texts, and cards by their numbers. */
export function labelOf({ place, card, index = 0, key, kind }: TemplateVariable, form: TemplateForm): string {
  const { buttons } = card === undefined ? form : (form.cards[card] ?? { buttons: [] });
  const ofCard = card === undefined ? '' : ` of card ${card + 1}`;
  if (isFileKind(kind)) return `Address of the file${ofCard}`;
  if (kind === 'coupon_code') return `Code of button ${index + 1}${ofCard}`;
  if (kind === 'text' && place === 'button')
    return `End of the link “${buttons[index]?.text || `button ${index + 1}`}”${ofCard}`;
  return `${LABELS[kind] ?? `{{${key.split(' ').at(-1)}}} in the ${place === 'header' ? 'header' : 'text'}`}${ofCard}`;
}

/** @returns whether everything is given that a template needs */
export function isFilled(variables: readonly TemplateVariable[], values: Values): boolean {
  return variables.every(({ key, isOptional }) => isOptional || (values[key] ?? '').trim() !== '');
}

/** Why the service cannot send a template, whatever its values. */
export function unsendable(variables: readonly TemplateVariable[]): string | undefined {
  return variables.some(({ kind }) => kind === 'other') ? 'The service cannot send a header of this kind' : undefined;
}

/** Why no sheet can fill a template. */
export function unsendableBySheet(variables: readonly TemplateVariable[]): string | undefined {
  const hasList = variables.some(({ kind }) => kind === 'product_list');
  return hasList ? 'A sheet cannot give a list of products: send to a list of phones' : unsendable(variables);
}

/** The template of a send as the public API takes it. */
export function sentTemplate(template: Omit<Template, 'id'>, values: Values) {
  const asked = askedOf(template);
  const lists = asked.filter(({ kind }) => kind === 'product_list');
  const ofLists = new Set(lists.flatMap((list) => [list.key, pictureOf(list).key]));
  const given = asked.filter(({ key }) => !ofLists.has(key) && (values[key] ?? '') !== '');
  const components = lists.flatMap((list) =>
    productList(list, { products: values[list.key] ?? '', picture: values[pictureOf(list).key] ?? '' }),
  );
  return {
    name: template.name,
    language: { code: template.language },
    ...(given.length > 0 && {
      variables: Object.fromEntries(given.map((variable) => [variable.key, sentValue(variable, values)])),
    }),
    ...(components.length > 0 && { components }),
  };
}

/** A field for date and time has no zone: the sender means that of the browser. */
function sentValue({ key, kind }: TemplateVariable, values: Values): string {
  const value = values[key] ?? '';
  const time = kind === 'offer_end' ? new Date(value) : undefined;
  return time === undefined || Number.isNaN(time.getTime()) ? value : time.toISOString();
}

/** The template's own samples. */
export function samplesOf(variables: readonly TemplateVariable[]): Values {
  return Object.fromEntries(variables.map(({ key, sample }) => [key, sample]));
}

/** The form as a preview shows it: values in the place of samples. */
export function formWith(form: TemplateForm, variables: readonly TemplateVariable[], values: Values): TemplateForm {
  const of = (place: TemplateVariable['place'], ofCard?: number): TemplateVariable[] =>
    variables.filter(
      ({ place: at, card, kind, key }) => at === place && card === ofCard && kind === 'text' && values[key],
    );
  const bodyOf = (card?: number): Record<string, string> =>
    Object.fromEntries(of('body', card).map(({ key }) => [key.split(' ').at(-1) ?? '', values[key] ?? '']));
  const [header] = of('header');
  return {
    ...form,
    bodySamples: { ...form.bodySamples, ...bodyOf() },
    ...(header && { headerSample: values[header.key] ?? '' }),
    cards: form.cards.map((card, index) => ({ ...card, bodySamples: { ...card.bodySamples, ...bodyOf(index) } })),
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
